import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMock, type Mock, serve } from 'restkin/mocks';
import { build } from 'vite';
import { ordering } from '../ordering.ts';
import { companies, orders } from './data.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Files of the built application, by their paths. */
type Files = ReadonlyMap<string, { readonly type: string; readonly content: string | Uint8Array }>;

/** The application and the API, each at an origin of its own. */
export interface Site {
  readonly url: string;
  readonly mock: Mock<typeof ordering>;
  readonly files: Files;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The package itself, and the one that it brings along for every client. */
const isOfRestkin = (id: string): boolean =>
  id.startsWith(here('../../dist/')) || /[\\/](?:p-retry|is-network-error)[\\/]/.test(id);

/** Builds the application with Vite. restkin gets a file of its own, which shows its size. */
const buildApp = async (): Promise<Files> => {
  const built = await build({
    root: here('.'),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'zod', test: /[\\/]zod[\\/]/ },
              { name: 'restkin', test: isOfRestkin },
            ],
          },
        },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('Vite built nothing');
  return new Map(
    result.output.map((file) => [
      `/${file.fileName}`,
      {
        type: types[file.fileName.replace(/^.*\./, '')] ?? 'application/octet-stream',
        content: file.type === 'chunk' ? file.code : file.source,
      },
    ]),
  );
};

/** Serves the application next to a mock whose responses take a while, as those of a busy API do. */
export const startSite = async (port = 0): Promise<Site> => {
  const mock = createMock(ordering, {
    data: { companies, orders },
    users: [{ username: 'ada', password: 'lovelace' }],
    endpoints: {
      'orders.cancel': ({ row }, state) => {
        const cancelled = { ...row, status: 'cancelled' };
        const rows = state.rows('orders').map((order) => (order.id === row.id ? cancelled : order));
        state.setRows('orders', rows);
        return cancelled;
      },
      'orders.invoice': ({ row }) => {
        const lines = row.lines?.map(({ sku, quantity }) => `${quantity} x ${sku}`);
        return new Response([`Invoice of order ${row.id}`, ...(lines ?? [])].join('\n'), {
          headers: { 'content-type': 'text/plain; charset=utf-8' },
        });
      },
    },
  });
  // It allows pages of other origins, and exposes Link and X-Pagination-* to them (CORS).
  const api = await serve({
    respond: async (request) => {
      await setTimeout(30);
      return mock.respond(request);
    },
  });

  const files = await buildApp();
  const policy = `default-src 'self'; script-src 'self'; connect-src ${api.url}; img-src data:`;
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url === '/' ? '/index.html' : url);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type, 'content-security-policy': policy });
    response.end(url === '/' ? String(file.content).replace('{api}', api.url) : file.content);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address of this kind.
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}/`,
    mock,
    files,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
};
