import './with-ky.ts';
import '../requests/abort.test.ts';
