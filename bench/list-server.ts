// A list of records over plain node:http, in a process of its own: node bench/list-server.ts <count> <perPage> <delayMs>
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [count = 10_000, perPage = 100, delayMs = 0] = process.argv.slice(2).map(Number);
const last = Math.ceil(count / perPage);
const bodies = new Map<number, string>();

const bodyOf = (page: number, origin: string): string => {
  const known = bodies.get(page);
  if (known !== undefined) return known;
  const items = Array.from({ length: perPage }, (_, index) => {
    const id = (page - 1) * perPage + index + 1;
    const self = `${origin}/v1/things/${id}`;
    return {
      id,
      self,
      name: `Thing ${id}`,
      status: 'open',
      quantity: id % 7,
      price: 12.5,
      createdAt: '2026-01-02T03:04:05Z',
    };
  });
  const body = JSON.stringify(items);
  bodies.set(page, body);
  return body;
};

const token = JSON.stringify({
  access_token: 'access',
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: 600,
  refresh_expires_in: 2_592_000,
});

const server = createServer((request, response) => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = new URL(request.url ?? '/', origin);
  response.setHeader('content-type', 'application/json');
  if (url.pathname === '/auth/token') {
    request.resume().on('end', () => response.end(token));
    return;
  }
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = page < last ? { link: `<${origin}/v1/things?page=${page + 1}>; rel="next"` } : {};
  const headers = {
    ...next,
    'x-pagination-current-page': String(page),
    'x-pagination-page-size': String(perPage),
    'x-pagination-total-pages': String(last),
    'x-pagination-total-count': String(count),
  };
  setTimeout(() => response.writeHead(200, headers).end(bodyOf(page, origin)), delayMs);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
