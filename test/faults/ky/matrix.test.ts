import './with-ky.ts';
import '../requests/matrix.test.ts';
