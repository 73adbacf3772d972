import './with-ky.ts';
import '../requests/retry-after.test.ts';
