import './with-ky.ts';
import '../requests/proxy.test.ts';
