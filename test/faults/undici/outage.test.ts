import './with-undici.ts';
import '../requests/outage.test.ts';
