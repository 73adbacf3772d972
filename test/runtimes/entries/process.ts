// Node, Bun and Deno: the cases in a process, with the address of the control server and a folder as
// arguments.
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Fetch } from 'restkin';
import { sqliteStore } from 'restkin/sqlite';
import type { Surroundings } from '../case.ts';
import { perform } from '../perform.ts';

/** The part of Deno that the README names. */
interface DenoClients {
  createHttpClient(options: { readonly poolMaxIdlePerHost: number }): object;
}

const [, , controlUrl = '', folder = ''] = process.argv;

const openSqlite: Surroundings['openSqlite'] = async () => {
  const store = sqliteStore({ path: join(await mkdtemp(join(folder, 'tokens-')), 'tokens.db') });
  return { store, close: async () => store.close() };
};

/** Deno alone has such a global. */
const advisedFetch = (): Fetch | undefined => {
  const { Deno } = globalThis as { readonly Deno?: DenoClients };
  if (Deno === undefined) return undefined;
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  return (input, init) => fetch(input, Object.assign({ client }, init));
};

const fetchToAdvise = advisedFetch();
const results = await perform(controlUrl, {
  hidesHeaders: false,
  sendsStreams: true,
  openSqlite,
  loadMocks: () => import('restkin/mocks'),
  serveHere: async (mock) => (await import('restkin/mocks')).serve(mock),
  ...(fetchToAdvise && { advisedFetch: fetchToAdvise }),
});
process.stdout.write(`${JSON.stringify(results)}\n`);
