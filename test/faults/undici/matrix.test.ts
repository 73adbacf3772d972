import './with-undici.ts';
import '../requests/matrix.test.ts';
