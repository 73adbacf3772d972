import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, customAuth, family, isRestkinError, PagingError } from 'restkin';
import type { Family } from 'restkin/families';
import * as presets from 'restkin/families';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

// Servers of each family that send what they should not: every record once, or a typed error.

const records = 37;
const everyId = Array.from({ length: records }, (_, index) => index + 1);

/** The places of a list in a family, as dotted paths and names of headers. */
const placesOf = ({ list = {} }: Family) =>
  [list.totalCount, list.totalPages, list.number, list.size].flatMap((place) => place ?? []);

type Body = Record<string, unknown>;

/** Changes the value at a dotted path. */
const change = (body: unknown, path: string, edit: (value: unknown) => unknown): unknown => {
  if (path === '') return edit(body);
  const [name = '', ...rest] = path.split('.');
  return { ...(body as Body), [name]: change((body as Body)[name], rest.join('.'), edit) };
};

interface Sent {
  readonly body: unknown;
  readonly headers: Headers;
}

type Fault = (sent: Sent, declared: Family, requested: URL) => Sent;

const editItems =
  (edit: (items: unknown) => unknown): Fault =>
  (sent, { list = {} }) => ({ ...sent, body: change(sent.body, list.items ?? '', edit) });

const editNumbers =
  (edit: (value: unknown) => unknown): Fault =>
  (sent, declared) => {
    const headers = new Headers(sent.headers);
    let { body } = sent;
    for (const place of placesOf(declared)) {
      if ('body' in place) body = change(body, place.body, edit);
      else if (headers.has(place.header)) headers.set(place.header, String(edit(headers.get(place.header))));
    }
    return { body, headers };
  };

const editNext =
  (edit: (next: string, requested: URL) => string): Fault =>
  (sent, { list = {} }, requested) => {
    const headers = new Headers(sent.headers);
    const link = headers.get('link');
    const toOther = (target: string): string => edit(target, requested);
    if (link !== null)
      headers.set(
        'link',
        link.replace(/<([^>]*)>(?=; rel="next")/, (_, target) => `<${toOther(target)}>`),
      );
    const isInBody = typeof list.next === 'object';
    const place = isInBody ? (list.next as { readonly body: string }).body : '';
    const toValue = (next: unknown): unknown => (typeof next === 'string' ? toOther(next) : next);
    return { headers, body: isInBody ? change(sent.body, place, toValue) : sent.body };
  };

const emptyPage = 'the items of a page between others are empty';

const faults: Readonly<Record<string, Fault>> = {
  'next leads to itself': editNext((_, requested) => requested.href),
  'next leads to another origin': editNext((next) => next.replace(/^http:\/\/[^/]+/, 'https://other.test')),
  'next is relative, without a path': editNext((next) => new URL(next).search),
  'next is no URL': editNext(() => 'http://[::1'),
  'numbers are strings': editNumbers(String),
  'numbers are null': editNumbers(() => null),
  'numbers are words': editNumbers(() => 'many'),
  'numbers are negative': editNumbers(() => -1),
  'items are null': editItems(() => null),
  'items are an object with numeric keys': editItems((items) =>
    Object.fromEntries(Object.entries(items as unknown[])),
  ),
  [emptyPage]: (sent, declared, requested) =>
    /page=2(?:&|$)/.test(requested.search) ? editItems(() => [])(sent, declared, requested) : sent,
  'each page is the first one': (sent) => sent,
};

/** A size that the server lowers without a sign, at the border of the pages or within one. */
const sizes = [5, 10, 37];

const read = async (declared: Family, fault: string | undefined, most: number, concurrency: number) => {
  const { resource, collection, defineApi } = family(declared);
  const apiOf = (paging: { readonly defaultPerPage?: number }) => {
    const items = collection('items', resource({ name: z.string() }), { paging });
    return defineApi({ name: 'hostile', version: 1, auth: 'custom', collections: { items } });
  };
  const rows = everyId.map((id) => ({ id, name: `n${id}` }));
  const mock = createMock(apiOf({ defaultPerPage: most }), { data: { items: rows } });
  const { page, perPage } = { ...presets.conventions.query, ...declared.query };
  const respond = async ({ url = '/', headers: given }: IncomingMessage, response: ServerResponse) => {
    const requested = new URL(url, `http://${given.host}`);
    const asMock = new URL(requested);
    if (Number(asMock.searchParams.get(perPage) ?? 0) > most) asMock.searchParams.set(perPage, String(most));
    if (fault === 'each page is the first one') asMock.searchParams.delete(page ?? '');
    const answered = await mock.fetch(asMock, { headers: { 'x-api-key': 'k-1234' } });
    if (fault === '200 with HTML') return void response.end('<html>maintenance</html>');
    const edit = fault === undefined ? undefined : faults[fault];
    const sent: Sent = { body: await answered.json(), headers: answered.headers };
    const { body, headers } = edit?.(sent, declared, requested) ?? sent;
    response.setHeaders(new Map([...headers].filter(([name]) => name !== 'content-length')));
    response.end(JSON.stringify(body));
  };
  const listener = createServer((message, response) => void respond(message, response));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const auth = customAuth(() => ({ 'x-api-key': 'k-1234' }));
    const { items } = createClient({ baseUrl, auth, retry: false }).api(apiOf({}));
    const ids: unknown[] = [];
    try {
      for await (const { id } of items.list({ perPage: 100, concurrency })) ids.push(id);
      return { ids, error: undefined };
    } catch (error) {
      return { ids, error };
    }
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
};

const cases = [undefined, '200 with HTML', ...Object.keys(faults)];

describe.each(Object.entries(presets))(
  'a list of %s gives every record once, or a typed error',
  (_, given) => {
    test.each(cases)('%s', async (fault) => {
      for (const most of sizes) {
        for (const concurrency of [1, 4]) {
          const { ids, error } = await read(given, fault, most, concurrency);
          expect(error === undefined || isRestkinError(error)).toBe(true);
          // An empty page between others is known by the total alone; the pages behind it are given before
          // the error.
          const mustFail = fault === emptyPage && placesOf(given).length > 0 && most < records;
          expect(!mustFail || error instanceof PagingError).toBe(true);
          // What came before an error is the beginning of the list.
          const beginning = error === undefined ? everyId : everyId.slice(0, ids.length);
          expect(ids).toEqual(fault === emptyPage ? ids : beginning);
        }
      }
    });
  },
);
