// npm run build && npm ci --prefix examples/browser && node examples/browser/main.ts, then log in as ada with lovelace.
import { startSite } from './start-site.ts';

const { url } = await startSite(Number(process.env.PORT ?? 0));
console.log(url);
