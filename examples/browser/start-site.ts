import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createMock, type Mock, serve } from 'restkin/mocks';
import { ordering } from '../ordering.ts';
import { companies, orders } from './data.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The page and the API, each at an origin of its own. */
export interface Site {
  readonly url: string;
  readonly mock: Mock<typeof ordering>;
  close(): Promise<void>;
}

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [here('page.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

/** Serves the page next to a mock whose answers take a while, as those of a busy API do. */
export const startSite = async (port = 0): Promise<Site> => {
  const mock = createMock(ordering, {
    data: { companies, orders },
    users: [{ username: 'ada', password: 'lovelace' }],
  });
  mock.faults.random({ rate: 1, collection: 'orders', delayMs: 100 });
  // It lets pages of other origins in, and shows them Link and X-Pagination-* (CORS).
  const api = await serve(mock);

  const read = (name: string): Promise<string> => readFile(here(name), 'utf8');
  const files = new Map([
    ['/', { type: 'text/html', text: (await read('index.html')).replace('{api}', api.url) }],
    ['/page.css', { type: 'text/css', text: await read('page.css') }],
    ['/page.js', { type: 'text/javascript', text: await bundle() }],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': `${file.type}; charset=utf-8`,
      // zod asks whether it may compile schemas, is told that it may not, and goes on without.
      'content-security-policy': `default-src 'self'; connect-src ${api.url}; img-src data:`,
    });
    response.end(file.text);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  // A server that listens on a port has an address of this kind.
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}/`,
    mock,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
};
