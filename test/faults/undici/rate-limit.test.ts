import './with-undici.ts';
import '../requests/rate-limit.test.ts';
