import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, customAuth, family } from 'restkin';
import { expect, onTestFinished, test, vi } from 'vitest';

// Requests for pages that a list loads ahead, and that nobody reads.

const { resource, collection, defineApi } = family({ path: '', identity: ['id'] });
const books = collection('books', resource({}), { paging: true });
const api = defineApi({ name: 'books', auth: 'custom', collections: { books } });

interface Reply {
  /** The page to which it links. */
  readonly next?: number;
  /** Never sent, so that its request stays open. */
  readonly isPending?: boolean;
}

/**
 * A server of ten pages, with the pages that were requested, and those whose request the client has ended.
 */
const serve = async (replyAt: (page: number) => Reply) => {
  const requested: number[] = [];
  const ended: number[] = [];
  const respond = (page: number, response: ServerResponse): void => {
    const { next, isPending = false } = replyAt(page);
    response.on('close', () => {
      if (!response.writableFinished) ended.push(page);
    });
    if (isPending) return;
    const link = next === undefined ? {} : { link: `</books?page=${next}>; rel="next"` };
    const totals = { 'x-pagination-total-pages': '10', 'x-pagination-total-count': '10' };
    const headers = { 'content-type': 'application/json', ...totals, ...link };
    response.writeHead(200, headers).end(JSON.stringify([{ id: page }]));
  };
  const server = createServer(({ url = '' }, response) => {
    const page = Number(new URL(url, 'http://localhost').searchParams.get('page') ?? 1);
    requested.push(page);
    respond(page, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl, auth: customAuth(() => ({})), retry: false });
  return { list: client.api(api).books.list({ concurrency: 4 }), requested, ended };
};

test('a reader that leaves the loop ends the requests that are open', async () => {
  const { list, requested, ended } = await serve((page) => ({ next: page + 1, isPending: page > 2 }));
  for await (const { id } of list) {
    if (id === 1) continue;
    await vi.waitFor(() => expect(requested).toContain(3));
    break;
  }
  await vi.waitFor(() => expect(new Set(ended)).toEqual(new Set(requested.slice(2))));
});

test('pages that a link skips are ended at once, while the list is still read', async () => {
  // Page 2 leads to page 9: pages 3 and later were requested before that was known.
  const { list, ended } = await serve((page) => ({
    next: page === 2 ? 9 : page + 1,
    isPending: page > 2 && page < 9,
  }));
  const records = list[Symbol.asyncIterator]();
  const read: unknown[] = [];
  for (let count = 0; count < 3; count++) read.push((await records.next()).value?.id);
  expect(read).toEqual([1, 2, 9]);
  await vi.waitFor(() => expect(new Set(ended)).toEqual(new Set([3, 4, 5])));
  await records.return?.();
});
