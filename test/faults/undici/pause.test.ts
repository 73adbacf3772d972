import './with-undici.ts';
import '../requests/pause.test.ts';
