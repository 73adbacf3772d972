import ky from 'ky';
import * as z from 'zod';
import { kyFetch } from '../../../src/adapters/ky.ts';
import { undiciFetch } from '../../../src/adapters/undici.ts';
import {
  basicAuth,
  collection,
  createClient,
  defineApi,
  isRestkinError,
  resource,
  tokenAuth,
} from '../../../src/index.ts';

/** What a process with one client tells its parent. */
export interface BombReport {
  /** Which `fetch` it had. */
  readonly fetch: string;
  readonly error: string;
  readonly grownMb: number;
}

// Both of the modules above and the heap of `fetch` stand before the first measurement.
const [, , baseUrl = '', kind = ''] = process.argv;
const { TEST_FETCH: fetchName = 'built-in' } = process.env;
const given = { ky: () => kyFetch(ky.create({ timeout: 1 })), undici: () => undiciFetch() }[fetchName];
const options = { baseUrl, retry: false, ...(given === undefined ? {} : { fetch: given() }) } as const;
const login = { username: 'ada', password: 'p4ssw0rd-of-ada' };
const auth = kind === 'token' ? tokenAuth({ authUrl: baseUrl, ...login }) : basicAuth(login);
// Not the API of the other tests: it imports the package by its name, which is another build here.
const api = defineApi({
  name: 'bombs',
  version: 1,
  auth: ['token', 'basic'],
  collections: { orders: collection('orders', resource({ status: z.string() })) },
});
const client = createClient({ ...options, auth });
const { orders } = client.api(api);

const failureOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    () => 'no error',
    (error: unknown) => (isRestkinError(error) ? error.name : 'foreign'),
  );

const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

const plain = createClient({ ...options, auth: basicAuth(login) });
for (let id = 0; id < 20; id++) await plain.request({ method: 'GET', path: 'warm' });
globalThis.gc?.();
const before = peakMb();
const error = await failureOf(orders.get(7));
const report: BombReport = { fetch: fetchName, error, grownMb: Math.round(peakMb() - before) };
process.send?.(report);
process.disconnect();
