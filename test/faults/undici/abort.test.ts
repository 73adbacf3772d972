import './with-undici.ts';
import '../requests/abort.test.ts';
