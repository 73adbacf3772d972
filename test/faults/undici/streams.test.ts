import './with-undici.ts';
import '../requests/streams.test.ts';
