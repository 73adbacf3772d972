import './with-undici.ts';
import '../requests/proxy.test.ts';
