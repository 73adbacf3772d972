// The mock behind its own HTTP server, or the same page from plain node:http, in a process of its own.
import { createServer } from 'node:http';
import { collection, defineApi, resource } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import * as z from 'zod';

const Thing = resource({
  name: z.string(),
  status: z.string(),
  city: z.string(),
  quantity: z.int(),
  price: z.number(),
  createdAt: z.iso.datetime(),
});
const inventory = defineApi({
  name: 'inventory',
  version: 1,
  auth: 'token',
  collections: { things: collection('things', Thing, { sort: true, paging: { maxPerPage: 100 } }) },
});
const rows = Array.from({ length: 10_000 }, (_, index) => ({
  id: index + 1,
  name: `Thing number ${(index * 7919) % 10_000}`,
  status: index % 3 === 0 ? 'open' : 'shipped',
  city: 'Utrecht',
  quantity: index % 7,
  price: (index % 1000) / 4,
  createdAt: new Date(1_700_000_000_000 + ((index * 7919) % 10_000) * 60_000).toISOString(),
}));

const servePlain = (): Promise<number> => {
  const body = Buffer.from(JSON.stringify(rows.slice(0, 25)));
  const token = JSON.stringify({ access_token: 'token' });
  const server = createServer((request, response) => {
    const answer = request.method === 'POST' ? token : body;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    request.resume().once('end', () => response.end(answer));
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
    }),
  );
};

const port =
  process.argv[2] === 'plain'
    ? await servePlain()
    : (await serve(createMock(inventory, { data: { things: rows } }))).port;
process.send?.(port);
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit());
