import './with-ky.ts';
import '../requests/hostile.test.ts';
