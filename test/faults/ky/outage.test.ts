import './with-ky.ts';
import '../requests/outage.test.ts';
