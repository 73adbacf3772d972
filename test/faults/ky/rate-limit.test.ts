import './with-ky.ts';
import '../requests/rate-limit.test.ts';
