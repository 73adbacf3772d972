import './with-undici.ts';
import '../requests/hostile.test.ts';
