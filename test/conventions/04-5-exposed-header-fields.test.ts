import { createClient, tokenAuth } from 'restkin';
import { createMock, serve } from 'restkin/mocks';
import { expect, test } from 'vitest';
import { data, ordering } from '../support/conformance-data.ts';
import { login, requestToken, textOf } from '../support/conformance-send.ts';

/** A request of a page at another origin than the API's. */
const headers = { origin: 'https://app.example.com' } as const;

/** What the response has, and a browser shows to such a page. */
const shownOf = (received: Headers): readonly string[] => {
  const exposed = (received.get('access-control-expose-headers') ?? '').split(', ');
  return exposed.filter((name) => received.has(name)).toSorted();
};

const shown = [
  'etag',
  'link',
  'x-pagination-current-page',
  'x-pagination-page-size',
  'x-pagination-total-count',
  'x-pagination-total-pages',
] as const;

test('§4.5 exposed header fields are those of a page and its ETag [HTTP, fetch]', async () => {
  const server = await serve(createMock(ordering, { data }));
  try {
    const { json } = await requestToken(server.url);
    const authorization = `Bearer ${textOf(json, 'access_token')}`;
    const url = `${server.url}/v1/orders?perPage=2`;
    expect(shownOf((await fetch(url, { headers: { ...headers, authorization } })).headers)).toEqual(shown);
  } finally {
    await server.close();
  }
});

test('§4.5 exposed header fields are those of a page and its ETag [HTTP, client]', async () => {
  const server = await serve(createMock(ordering, { data }));
  try {
    const auth = tokenAuth({ authUrl: server.url, ...login });
    const { orders } = createClient({ baseUrl: server.url, auth }).api(ordering);
    const { response } = await orders.list({ perPage: 2, headers }).withResponse();
    expect(shownOf(response.headers)).toEqual(shown);
  } finally {
    await server.close();
  }
});
