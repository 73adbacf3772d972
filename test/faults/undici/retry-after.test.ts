import './with-undici.ts';
import '../requests/retry-after.test.ts';
