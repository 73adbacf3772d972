import {
  AmbiguousOutcomeError,
  ContentTooLargeError,
  collection,
  defineApi,
  InvalidRequestError,
  resource,
  UnexpectedResponseError,
} from 'restkin';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { connect as connectBasic } from '../../support/basic-ordering.ts';
import { json, type Reply, record } from '../../support/recording-server.ts';

const Item = resource({ name: z.string() });
const stock = defineApi({
  name: 'bulk',
  version: 1,
  auth: 'basic',
  collections: { items: collection('items', Item, { bulk: { maxItems: 5 } }) },
});

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));
const rows = (count: number) =>
  named(count).map(({ name }, index) => ({ id: index, self: `http://a.test/${index}`, name }));

const serve = async (reply: Reply | 'drop') => {
  const server = await record(() => reply);
  onTestFinished(() => server.close());
  const { client } = connectBasic(server.url, { retry: { baseDelayMs: 1 } });
  return { server, items: client.api(stock).items };
};

test('§8 all items go out in one request, in order', async () => {
  const { server, items } = await serve(json(rows(5), 201));
  const { data, response } = await items.createMany(named(5)).withResponse();
  expect(data).toEqual(rows(5));
  expect(response.status).toBe(201);
  expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([named(5)]);
});

test('§8 more items than the declared limit are refused before anything is sent', async () => {
  const { server, items } = await serve(json(rows(6), 201));
  await expect(items.createMany(named(6))).rejects.toThrow(
    'items.createMany: 6 items are more than the 5 of `bulk.maxItems` (§8); split the list',
  );
  expect(server.requests).toEqual([]);
});

test('§8 a 202 is `Accepted`, with the Location of the work where there is one', async () => {
  const location = 'https://a.test/v1/jobs/1';
  const { items } = await serve({ status: 202, headers: { location } });
  expect(await items.createMany(named(3))).toEqual({ outcome: 'accepted', location });
});

test.each([
  ['a 413', { status: 413 }, ContentTooLargeError],
  ['a lost connection', 'drop', AmbiguousOutcomeError],
  ['fewer resources than items', json(rows(1), 201), UnexpectedResponseError],
  ['more resources than items', json(rows(3), 201), UnexpectedResponseError],
] as const)('%s is an error, and nothing is resent', async (_name, reply, error) => {
  const { server, items } = await serve(reply as Reply);
  await expect(items.createMany(named(2))).rejects.toBeInstanceOf(error);
  expect(server.requests).toHaveLength(1);
});

test('what JSON cannot hold is refused before anything is sent', async () => {
  const { server, items } = await serve(json([], 201));
  const createMany = items.createMany as (given: unknown) => Promise<unknown>;
  for (const given of [[{ name: 1n }], { name: 'n0' }, undefined])
    await expect(createMany(given)).rejects.toBeInstanceOf(InvalidRequestError);
  expect(server.requests).toEqual([]);
});
