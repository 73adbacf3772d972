// Prism, which validates HTTP by an OpenAPI document: in front of a mock, and as the server that the client
// reads.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient, tokenAuth } from 'restkin';
import { ordering } from '../test/support/ordering.ts';
import { freePort } from '../test/support/ports.ts';

const prism = fileURLToPath(new URL('../test/openapi/node_modules/.bin/prism', import.meta.url));
const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const api = fileURLToPath(new URL('../test/support/ordering.ts', import.meta.url));

/** A server in a process of its own. */
interface Running extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server, and waits until it says that it listens. */
const start = async (args: readonly string[]): Promise<Running> => {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (part) => {
      output += String(part);
      const [, found] = / (?:at|listening on) (http:\S+)\s/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`${args.join(' ')} ended before it listened: ${output}`)));
  });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const company = { name: 'Acme', city: 'Utrecht' };
const order = {
  status: 'open',
  createdAt: '2026-01-02T03:04:05Z',
  device: { model: 'M1', serial: 'S-1' },
  lines: [{ sku: 'SKU-1', quantity: 2 }],
  company: { id: 1 },
};

/** A request of each operation, with every parameter, and each error that needs no invalid request. */
const requests: readonly (readonly [method: string, path: string, status: number, body?: object])[] = [
  ['GET', '/v1/orders', 200],
  [
    'GET',
    '/v1/orders?sort=-createdAt,device.model&fields=status,company.name&expand=company&page=2&perPage=5',
    200,
  ],
  ['GET', '/v1/orders/1?fields=lines&expand=company', 200],
  ['GET', '/v1/orders/999', 404],
  ['GET', '/v1/companies?sort=name,-city', 200],
  ['GET', '/v1/companies/1/orders?perPage=1', 200],
  ['GET', '/v1/feed?since=yesterday&limit=3', 200],
  ['POST', '/v1/companies', 201, company],
  ['POST', '/v1/orders', 201, order],
  ['POST', '/v1/companies/1/orders', 201, order],
  ['PUT', '/v1/orders/2', 204, order],
  ['PUT', '/v1/orders/999', 404, order],
  ['PATCH', '/v1/orders/2', 204, { status: 'shipped', device: { serial: 'S-2' } }],
  ['PATCH', '/v1/companies/2', 204, { city: 'Oslo' }],
  ['DELETE', '/v1/orders/3', 204],
  ['DELETE', '/v1/orders/3', 404],
];

/** Sends each request through Prism to a mock. Throws for what Prism finds wrong in it or its response. */
const checkProxy = async (document: string): Promise<void> => {
  await using mock = await start([command, 'mock', api, '--port=0', '--generate=12']);
  await using proxy = await start([prism, 'proxy', document, mock.url, '-p', String(await freePort())]);
  const check = async (path: string, init: RequestInit, status: number): Promise<Response> => {
    const response = await fetch(proxy.url + path, init);
    const violations = response.headers.get('sl-violations');
    if (response.status === status && violations === null) return response;
    const what = violations ?? (await response.text());
    throw new Error(`Prism: ${init.method} ${path}: ${response.status}: ${what}`);
  };
  const form = new URLSearchParams({ grant_type: 'password', username: 'ada', password: 'lovelace' });
  const login = await fetch(`${mock.url}/auth/token`, { method: 'POST', body: form });
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  for (const [method, path, status, body] of requests) {
    const sent = body && { body: JSON.stringify(body) };
    const type = body && { 'content-type': 'application/json' };
    await check(path, { method, headers: { ...headers, ...type }, ...sent }, status);
  }
  const first = await check('/v1/orders/1', { method: 'GET', headers }, 200);
  const etag = first.headers.get('etag') ?? '';
  await check('/v1/orders/1', { method: 'GET', headers: { ...headers, 'if-none-match': etag } }, 304);
  console.log(`Prism sees no violation in ${requests.length + 2} exchanges with restkin mock.`);
};

/** Reads what Prism makes up from the document, with the client of the same declaration. */
const checkServer = async (document: string): Promise<void> => {
  await using mock = await start([command, 'mock', api, '--port=0']);
  await using server = await start([prism, 'mock', document, '-p', String(await freePort())]);
  const { url } = server;
  const auth = tokenAuth({ authUrl: mock.url, username: 'ada', password: 'lovelace' });
  const { orders, companies, companyOrders } = createClient({ baseUrl: url, auth }).api(ordering);
  const [one] = (await orders.list({ sort: ['-createdAt'], fields: ['status'], perPage: 5 })).items;
  const whole = await orders.get(1);
  const created = await companies.create(company);
  const outcomes = [await orders.replace(1, { ...order, status: 'open' }), await orders.delete(1)];
  await companyOrders({ companyId: 3 }).list();
  const isRead =
    typeof one?.status === 'string' && typeof whole.device.model === 'string' && 'name' in created;
  if (!isRead || outcomes.length !== 2)
    throw new Error('Prism as the server: a record is not what is declared');
  console.log('The client reads what Prism serves from the document.');
};

/** Checks a document of `test/support/ordering.ts`. */
export const checkPrism = async (document: string): Promise<void> => {
  await checkProxy(document);
  await checkServer(document);
};
