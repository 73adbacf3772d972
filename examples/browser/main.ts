// npm run build && npm ci --prefix examples/browser && node examples/browser/main.ts
// The username is ada, the password lovelace.
import { startSite } from './start-site.ts';

const { url } = await startSite(Number(process.env.PORT ?? 0));
console.log(url);
