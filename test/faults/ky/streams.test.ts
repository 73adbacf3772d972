import './with-ky.ts';
import '../requests/streams.test.ts';
