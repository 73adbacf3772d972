import './with-ky.ts';
import '../requests/pause.test.ts';
