import {
  ContentTooLargeError,
  collection,
  defineApi,
  InvalidRequestError,
  NotFoundError,
  resource,
  UnexpectedResponseError,
  ValidationError,
} from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { connect as connectBasic } from '../../support/basic-ordering.ts';
import { json, type Reply, record } from '../../support/recording-server.ts';

const Item = resource({ name: z.string() });
const apiOf = (bulk: { maxItems?: number; maxBytes?: number }) =>
  defineApi({
    name: 'bulk',
    version: 1,
    auth: 'basic',
    collections: { items: collection('items', Item, { bulk }) },
  });

interface Named {
  readonly name: string;
}
const named = (count: number): Named[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));
const created = (items: readonly Named[]): Reply =>
  json(
    items.map(({ name }) => ({ id: Number(name.slice(1)), self: 'http://a.test/1', name })),
    201,
  );

/** A server that sees lists of items, and how often it saw each in a request that it did not refuse as too large. */
const serve = async (
  answer: (items: readonly Named[], index: number) => Reply | 'drop' = created,
  bulk: { maxItems?: number; maxBytes?: number } = {},
) => {
  const bodies: string[] = [];
  const taken = new Map<string, number>();
  const server = await record(({ body }) => {
    const items = JSON.parse(body) as Named[];
    const reply = answer(items, bodies.push(body) - 1);
    const counts = reply === 'drop' || reply.status !== 413;
    for (const { name } of counts ? items : []) taken.set(name, (taken.get(name) ?? 0) + 1);
    return reply;
  });
  onTestFinished(() => server.close());
  const { client } = connectBasic(server.url, { retry: { baseDelayMs: 1 } });
  const sizes = () => bodies.map((body) => (JSON.parse(body) as Named[]).length);
  return { bodies, sizes, taken, items: client.api(apiOf(bulk)).items };
};
const outcomes = (parts: readonly { from: number; count: number; outcome: string }[]) =>
  parts.map(({ from, count, outcome }) => [from, count, outcome]);

describe('splits ahead', () => {
  test('by the number of items, in order', async () => {
    const { items, sizes, taken } = await serve(created, { maxItems: 4 });
    const result = await items.createMany(named(10));
    expect(sizes()).toEqual([4, 4, 2]);
    expect(result.created.map(({ name }) => name)).toEqual(named(10).map(({ name }) => name));
    expect([result.complete, result.parts.map(({ from }) => from)]).toEqual([true, [0, 4, 8]]);
    expect([taken.size, new Set(taken.values())]).toEqual([10, new Set([1])]);
  });

  test('by bytes of UTF-8, as full as it goes and not one over', async () => {
    // A euro is one character and three bytes: by characters three items would fit.
    const wide = Array.from({ length: 10 }, () => ({ name: '€' }));
    const answer = (list: readonly Named[]) =>
      json(
        list.map((_, id) => ({ id, self: 'http://a.test/1', name: 'x' })),
        201,
      );
    const { items, bodies, sizes } = await serve(answer, { maxBytes: 45 });
    await items.createMany(wide);
    const each = Buffer.byteLength(JSON.stringify(wide[0]));
    const most = Math.floor((45 - 1) / (each + 1));
    expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).toBeLessThanOrEqual(45);
    expect(
      sizes()
        .slice(0, -1)
        .every((size) => size === most),
    ).toBe(true);
    expect(sizes().reduce((sum, size) => sum + size)).toBe(10);
  });

  test('a body of exactly maxBytes is one part', async () => {
    const list = named(3);
    const maxBytes = Buffer.byteLength(JSON.stringify(list));
    expect((await (await serve(created, { maxBytes })).items.createMany(list)).parts).toHaveLength(1);
    const tight = await serve(created, { maxBytes: maxBytes - 1 });
    await tight.items.createMany(list);
    expect(tight.sizes()).toEqual([2, 1]);
  });

  test('no items: nothing is sent', async () => {
    const { items, bodies } = await serve();
    expect(await items.createMany([])).toEqual({ parts: [], created: [], complete: true });
    expect(bodies).toEqual([]);
  });
});

test('413 halves, down to one item, and each item is taken once', async () => {
  const { items, sizes, taken } = await serve((list) =>
    list.length > 2 || list.some(({ name }) => name === 'n5') ? { status: 413 } : created(list),
  );
  const result = await items.createMany(named(8));
  expect(sizes()).toEqual([8, 4, 2, 2, 4, 2, 1, 1, 2]);
  expect(outcomes(result.parts)).toEqual([
    [0, 2, 'created'],
    [2, 2, 'created'],
    [4, 1, 'created'],
    [5, 1, 'failed'],
    [6, 2, 'created'],
  ]);
  expect(result.complete).toBe(false);
  expect([...taken.entries()]).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n6', 'n7'].map((name) => [name, 1]));
});

test('field errors name items by their index in the whole list; the other parts are not lost', async () => {
  const errors = [
    { field: '1.name', code: 'invalid' },
    { field: '0', code: 'missingField' },
    { field: 'other', code: 'invalid' },
  ];
  const { items, taken } = await serve(
    (list, index) => (index === 1 ? json({ message: 'no', errors }, 400) : created(list)),
    { maxItems: 3 },
  );
  const { parts, created: made } = await items.createMany(named(9));
  expect(outcomes(parts)).toEqual([
    [0, 3, 'created'],
    [3, 3, 'failed'],
    [6, 3, 'created'],
  ]);
  const error = parts[1]?.error as ValidationError;
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.errors.map(({ field }) => field)).toEqual(['4.name', '3', 'other']);
  expect([error.detail, error.attempts.length, made.length]).toEqual(['no', 1, 6]);
  expect(new Set(taken.values())).toEqual(new Set([1]));
});

describe('stops after a failure that concerns all', () => {
  const failures: readonly [string, Reply | 'drop', string][] = [
    ['401', { status: 401 }, 'UnauthorizedError'],
    ['403', { status: 403 }, 'ForbiddenError'],
    ['429', { status: 429, headers: { 'retry-after': '900' } }, 'TooManyRequestsError'],
    ['500', { status: 500 }, 'InternalServerError'],
    ['503', { status: 503 }, 'ServiceUnavailableError'],
    ['a lost connection', 'drop', 'AmbiguousOutcomeError'],
  ];
  test.each(failures)('%s', async (_name, reply, error) => {
    const { items, sizes, taken } = await serve((list, index) => (index === 0 ? created(list) : reply), {
      maxItems: 2,
    });
    const { parts, complete } = await items.createMany(named(7));
    expect(outcomes(parts)).toEqual([
      [0, 2, 'created'],
      [2, 2, 'failed'],
      [4, 2, 'notSent'],
      [6, 1, 'notSent'],
    ]);
    expect([parts[1]?.error, complete, sizes()]).toEqual([
      expect.objectContaining({ name: error }),
      false,
      [2, 2],
    ]);
    expect(new Set(taken.values())).toEqual(new Set([1]));
  });

  test('an abort says what was sent and what was not', async () => {
    const controller = new AbortController();
    const { items, sizes } = await serve(
      (list, index) => {
        if (index === 1) controller.abort('enough');
        return created(list);
      },
      { maxItems: 2 },
    );
    const { parts } = await items.createMany(named(6), { signal: controller.signal });
    expect(outcomes(parts).map(([, , outcome]) => outcome)).toEqual(['created', 'failed', 'notSent']);
    expect([parts[1]?.error, sizes()]).toEqual(['enough', [2, 2]]);
  });

  const about = { method: 'GET', url: 'http://a.test/' };
  test.each([
    new ContentTooLargeError({ ...about, status: 413 }),
    new ValidationError({ ...about, status: 400, items: [{ field: '0.name', code: 'invalid' }] }),
    new NotFoundError({ ...about, status: 404 }),
  ])('an abort does, also with the error of another request as its reason: $name', async (reason) => {
    const controller = new AbortController();
    const server = await serve(
      (list, index) => {
        if (index === 1) controller.abort(reason);
        return created(list);
      },
      { maxItems: 2 },
    );
    const { parts } = await server.items.createMany(named(6), { signal: controller.signal });
    expect(outcomes(parts).map(([, , outcome]) => outcome)).toEqual(['created', 'failed', 'notSent']);
    expect(parts[1]?.error).toBe(reason);
  });
});

describe('a response with another number of resources than items', () => {
  test.each([
    ['fewer', (list: readonly Named[]) => created(list.slice(1)), 1],
    ['none', () => created([]), 0],
    ['more', (list: readonly Named[]) => created([...list, ...named(1)]), 3],
  ])('%s: the part failed, and is not resent', async (_name, wrong, count) => {
    const { items, sizes } = await serve((list, index) => (index === 1 ? wrong(list) : created(list)), {
      maxItems: 2,
    });
    const result = await items.createMany(named(6));
    expect(outcomes(result.parts)).toEqual([
      [0, 2, 'created'],
      [2, 2, 'failed'],
      [4, 2, 'notSent'],
    ]);
    expect(result.parts[1]?.error).toBeInstanceOf(UnexpectedResponseError);
    expect(result.parts[1]?.error).toMatchObject({
      status: 201,
      method: 'POST',
      url: expect.stringMatching(/\/v1\/items$/),
      message: expect.stringContaining(`: 201: the response to 2 items holds ${count} created resources`),
      attempts: [expect.objectContaining({ status: 201 })],
    });
    expect([result.complete, result.created.length, sizes()]).toEqual([false, 2, [2, 2]]);
  });
});

test('202 is accepted, part by part, with the Location of the work where there is one', async () => {
  const replies: readonly Reply[] = [
    { status: 202, headers: { location: 'https://a.test/v1/jobs/1' } },
    { status: 202 },
  ];
  const { items } = await serve((_items, index) => replies[index] ?? 'drop', { maxItems: 2 });
  const result = await items.createMany(named(3));
  expect(result.parts).toEqual([
    { from: 0, count: 2, outcome: 'accepted', location: 'https://a.test/v1/jobs/1' },
    { from: 2, count: 1, outcome: 'accepted' },
  ]);
  expect([result.complete, result.created]).toEqual([true, []]);
});

test('an item that JSON cannot hold is refused before anything is sent', async () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const bad of [cycle, { name: 1n }, undefined, () => 1, Symbol('x')]) {
    const { items, bodies } = await serve(created, { maxItems: 1 });
    const error: unknown = await items
      .createMany([...named(2), bad as Named])
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as Error).message).toMatch(/^Item 2: the body (?:is missing|cannot be written as JSON)/);
    expect(bodies).toEqual([]);
  }
});

test('an item with a field that JSON writes without its content is refused, with its index and the path', async () => {
  const { items, bodies } = await serve(created, { maxItems: 1 });
  const item = { name: 'n3', tags: new Set(['a']) };
  await expect(items.createMany([...named(2), item])).rejects.toThrow(
    'Item 2: JSON would write the field `tags`',
  );
  expect(bodies).toEqual([]);
});

test('what is no array is refused: it would be an empty list, and a success', async () => {
  const { items, bodies } = await serve(created, { maxItems: 2 });
  const createMany = items.createMany as (given: unknown) => Promise<unknown>;
  async function* rows() {
    yield { name: 'n1' };
  }
  for (const bad of [{ name: 'n1' }, rows(), 'n1', 3, undefined]) {
    const error: unknown = await createMany(bad).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as Error).message).toBe('items.createMany: the items must be an array');
  }
  expect(bodies).toEqual([]);
});
