import { hashKey, MutationObserver, QueryClient } from '@tanstack/query-core';
import { collection, defineApi, endpoint, InvalidRequestError, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { queries } from 'restkin/query';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { origin } from '../../mocks/calls.ts';
import { connect } from '../../support/basic-ordering.ts';
import { office } from '../../support/endpoints.ts';

const apiKey = { baseUrl: origin, api: 'office', version: 1 };
const ordersKey = { ...apiKey, collection: 'orders' };

/** The queries of a client of a mock, and a cache. */
const openOffice = () => {
  const mock = createMock(office, { generate: 3 });
  const { client } = connect(origin, { fetch: mock.fetch });
  return {
    ...queries(client, office),
    cache: new QueryClient(),
    sent: () =>
      mock.requests.map(
        ({ method, path, search }) => `${method} ${path}${search.size > 0 ? `?${search}` : ''}`,
      ),
  };
};

describe('a query of a GET endpoint', () => {
  test('calls it once, and its key has the endpoint and what it was called with', async () => {
    const { cache, settings, transcript, latestOrder, sent } = openOffice();
    expect((await cache.fetchQuery(settings())).since).toBeInstanceOf(Date);
    expect(settings().queryKey).toStrictEqual([{ ...apiKey, endpoint: 'settings' }, {}]);
    expect(typeof (await cache.fetchQuery(transcript({ id: 3 })))).toBe('string');
    expect(transcript({ id: 3 }).queryKey).toStrictEqual([
      { ...apiKey, endpoint: 'transcript' },
      { id: '3' },
    ]);
    expect(Object.keys(await cache.fetchQuery(latestOrder({ fields: ['status'] })))).toContain('status');
    expect(latestOrder({ fields: ['status'] }).queryKey.at(-1)).toStrictEqual({ fields: ['status'] });
    expect(settings().retry).toBe(false);
    expect(sent()).toEqual([
      'GET /v1/settings',
      'GET /v1/recordings/3/transcript',
      'GET /v1/latest-order?fields=status',
    ]);
  });

  test('of a resource has its id before the query', async () => {
    const { cache, orders, sent } = openOffice();
    const query = orders.history(2, { query: { limit: 3 } });
    expect(Array.isArray(await cache.fetchQuery(query))).toBe(true);
    expect(query.queryKey).toStrictEqual([ordersKey, 'history', '2', { query: { limit: '3' } }]);
    expect(orders.key('history', 2)).toStrictEqual([ordersKey, 'history', '2']);
    expect(sent()).toEqual(['GET /v1/orders/2/history?limit=3']);
  });

  test('has no key for the options of a call', () => {
    const { settings, orders } = openOffice();
    const options = { headers: {} } as never;
    expect(() => settings(options)).toThrow('has no option "headers"; it has none');
    expect(() => orders.history(2, options)).toThrow('has no option "headers"; it has query');
  });

  test('has in its key what the URL has, whatever the codecs of its query make of it', async () => {
    class Range {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    }
    const range = z.codec(z.string(), z.instanceof(Range), {
      decode: (text) => new Range(text),
      encode: ({ text }) => text,
    });
    const query = z.object({
      range: z.optional(range),
      after: z.optional(z.bigint().check(z.positive())),
      tags: z.optional(z.array(z.string())),
    });
    const search = endpoint('GET', 'search', { query, response: z.array(z.string()) });
    const finding = defineApi({
      ...{ name: 'finding', version: 1, auth: 'basic', collections: {} },
      endpoints: { search },
    });
    const mock = createMock(finding);
    const { client } = connect(origin, { fetch: mock.fetch });
    const found = queries(client, finding);
    const keyOf = (given: object) => found.search({ query: given }).queryKey;
    expect(keyOf({ range: new Range('1-2'), after: 7n, tags: ['a', 'b'] }).at(-1)).toStrictEqual({
      query: { range: '1-2', after: '7', tags: ['a', 'b'] },
    });
    const all = [{ range: new Range('1') }, { range: new Range('2') }, { after: 1n }, {}];
    expect(new Set(all.map((given) => hashKey(keyOf(given)))).size).toBe(all.length);
    // The query fails, and not the rendering that asks for its key.
    const refused = found.search({ query: { after: -1n } });
    expect(hashKey(refused.queryKey)).toContain('-1');
    await expect(new QueryClient().fetchQuery(refused)).rejects.toBeInstanceOf(InvalidRequestError);
    expect(mock.requests).toEqual([]);
  });

  test('is not there where its result is an unread response, which a cache cannot share', () => {
    expect(openOffice()).not.toHaveProperty('audio');
  });
});

describe('a mutation of an endpoint', () => {
  test('calls it once, and says to invalidate what is read at its path', async () => {
    const { cache, settings, saveSettings, sent } = openOffice();
    expect(saveSettings().mutationKey).toStrictEqual([{ ...apiKey, endpoint: 'saveSettings' }]);
    await cache.fetchQuery(settings());
    const body = { currency: 'EUR', since: new Date('2031-01-02') };
    const { result, invalidates } = await new MutationObserver(cache, saveSettings()).mutate({ body });
    expect(result).toEqual({ outcome: 'done' });
    expect(invalidates).toStrictEqual([[{ ...apiKey, endpoint: 'settings' }, {}]]);
    for (const queryKey of invalidates) await cache.invalidateQueries({ queryKey });
    expect(cache.getQueryState(settings().queryKey)?.isInvalidated).toBe(true);
    expect(sent()).toEqual(['GET /v1/settings', 'PUT /v1/settings']);
  });

  test('with a parameter of its path says so of this parameter alone', async () => {
    const cache = new QueryClient();
    const endpoints = {
      profile: endpoint('GET', 'profiles/:name', { response: z.object({ city: z.string() }) }),
      saveProfile: endpoint('PUT', 'profiles/:name', { body: z.object({ city: z.string() }) }),
    };
    const people = defineApi({ name: 'people', version: 1, auth: 'basic', collections: {}, endpoints });
    const { client } = connect(origin, { fetch: createMock(people).fetch });
    const { profile, saveProfile } = queries(client, people);
    for (const name of ['ada', 'eve']) await cache.fetchQuery(profile({ name }));
    const saved = await new MutationObserver(cache, saveProfile()).mutate({
      name: 'ada',
      body: { city: 'Oslo' },
    });
    for (const queryKey of saved.invalidates) await cache.invalidateQueries({ queryKey });
    const stale = ['ada', 'eve'].map(
      (name) => cache.getQueryState(profile({ name }).queryKey)?.isInvalidated,
    );
    expect(stale).toEqual([true, false]);
  });

  test('of a resource says to invalidate the lists, the resource and its GET actions', async () => {
    const { cache, orders, companyOrders, sent } = openOffice();
    expect(orders.cancel().mutationKey).toStrictEqual([ordersKey, 'cancel']);
    const observer = new MutationObserver(cache, orders.cancel());
    const { result, invalidates } = await observer.mutate({ id: 1, body: { reason: 'late' } });
    expect(result.id).toBe(1);
    expect(invalidates).toStrictEqual([
      orders.key('list'),
      orders.key('get', 1),
      orders.key('history', 1),
      [{ ...apiKey, collection: 'companyOrders' }, 'list'],
      [{ ...apiKey, collection: 'companyOrders' }, 'get', '1'],
    ]);
    await new MutationObserver(cache, orders.unlabel()).mutate({ id: 2, label: 'new' });
    await new MutationObserver(cache, companyOrders({ companyId: 1 }).ship())
      .mutate({ id: 3 })
      .catch(() => undefined);
    expect(sent()).toEqual([
      'POST /v1/orders/1/cancel',
      'DELETE /v1/orders/2/labels/new',
      'POST /v1/companies/1/orders/3/ship',
    ]);
  });
});

test('an action with the name of one of the options gives way to it', async () => {
  const Note = resource({ text: z.string() });
  const remove = endpoint('POST', 'remove');
  const notes = collection('notes', Note, { actions: { remove } });
  const kept = collection('kept', Note, { operations: ['get'], actions: { remove } });
  const api = defineApi({ name: 'notes', version: 1, auth: 'basic', collections: { notes, kept } });
  const mock = createMock(api, { generate: 2 });
  const { client } = connect(origin, { fetch: mock.fetch });
  const all = queries(client, api);
  const cache = new QueryClient();
  await new MutationObserver(cache, all.notes.remove()).mutate(1);
  await new MutationObserver(cache, all.kept.remove()).mutate({ id: 2 });
  expect(mock.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /v1/notes/1',
    'POST /v1/kept/2/remove',
  ]);
});
