import {
  basicAuth,
  collection,
  defineApi,
  type Events,
  resource,
  type UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../../support/connect.ts';
import { rejectionOf } from '../../support/shop.ts';

const Thing = resource({ size: z.enum(['s', 'm']), tags: z.optional(z.array(z.string())) });
const api = defineApi({
  name: 'x',
  version: 1,
  auth: 'basic',
  collections: { things: collection('things', Thing) },
});
const thing = (id: number, part: object) => ({
  id,
  self: `https://api.test/v1/things/${id}`,
  size: 's',
  ...part,
});

const failing = async (rows: readonly unknown[], options: object = {}) =>
  (await rejectionOf(connect(api, () => rows, options).api.things.list())) as UnexpectedResponseError;

describe('a list that does not match its declaration', () => {
  test('names the id of the record beside its index, and no value', async () => {
    const error = await failing([thing(40, {}), thing(41, { size: 'huge' })]);
    expect(error.message).toContain('at `1.size` (id 41): Invalid option: expected one of "s"|"m"');
    expect(error.issues).toEqual([{ path: '1.size', message: expect.any(String), id: 41 }]);
    expect(JSON.stringify(error)).not.toContain('huge');
  });

  test('says where the response has the resource', async () => {
    const { things } = connect(api, () => ({ data: thing(1, {}), meta: {} })).api;
    const error = (await rejectionOf(things.get(1))) as UnexpectedResponseError;
    expect(error.message).toContain("the resource is in `data`: declare family({ item: 'data' })");
  });

  test.each([
    [{ status: 'ok', data: thing(1, {}) }, "the resource is in `data`: declare family({ item: 'data' })"],
    [{ _id: 1, size: 's', owner: { id: 4 } }, "if it has another name, declare family({ idField: '_id' })"],
  ])('finds the resource beside other values, if nothing of it is around it: %j', async (body, hint) => {
    const { things } = connect(api, () => body).api;
    const error = (await rejectionOf(things.get(1))) as UnexpectedResponseError;
    expect(error.message).toContain(hint);
  });

  test.each<[string, object]>([
    ['data', { ok: true, data: [thing(1, {})] }],
    ['items', { errors: [], note: 'two', items: [thing(1, {}), thing(2, {})], total: 2 }],
    ['data', { items: [] }],
  ])('says where to name the list that a response has in a field: %s', async (name, body) => {
    const { things } = connect(api, () => body).api;
    await expect(things.list()).rejects.toThrow(
      `the response is not a list; if it has one, declare family({ list: { items: '${name}' } })`,
    );
  });

  test.each([
    ['read', z.string()],
    ['take', z.iso.date()],
  ])('gives no advice for a date that its codec cannot %s', async (_what, text) => {
    const decode = { decode: (given: string) => new Date(given), encode: (date: Date) => date.toISOString() };
    const declared = resource({ size: z.codec(text, z.date(), decode) });
    const dated = defineApi({ ...api, collections: { things: collection('things', declared) } });
    const { things } = connect(dated, () => [thing(1, { size: 'soon' })]).api;
    const error = (await rejectionOf(things.list())) as UnexpectedResponseError;
    expect(error.issues[0]?.path).toBe('0.size');
    expect(error.message).not.toContain('declare a');
  });

  test('gives no advice for a time whose offset has no colon', async () => {
    const declared = resource({ at: z.iso.datetime({ offset: true }) });
    const dated = defineApi({ ...api, collections: { things: collection('things', declared) } });
    const rows = [thing(1, { at: '2026-01-01T09:00:00+0200' })];
    const error = (await rejectionOf(connect(dated, () => rows).api.things.list())) as Error;
    expect(error.message).not.toContain('declare');
  });

  test('counts records with the same issue, and keeps the others', async () => {
    const rows = [thing(1, { size: 'l' }), thing(2, { size: 'l' }), thing(3, { tags: [5] })];
    const error = await failing(rows);
    expect(error.message).toMatch(/at `0\.size` \(id 1\): .*, in 2 records \(and 1 more\)$/);
    expect(error.issues).toMatchObject([
      { path: '0.size', id: 1, records: 2 },
      { path: '2.tags.0', id: 3 },
    ]);
  });

  test.each([
    ['an id that is a string', { id: 'a' }, 'if ids are strings, declare resource({ id: z.string(), ... })'],
    ['a missing self', { self: undefined }, 'declare resource({ self: z.optional(z.string()), ... })'],
    ['a date', { size: '2026-01-01' }, 'JSON has no dates'],
    [
      'a time with an offset',
      { size: undefined, at: '2026-01-01T09:00:00+02:00' },
      'z.iso.datetime({ offset: true })',
    ],
  ])('says what to declare for %s, in any language of zod', async (_, part, hint) => {
    const dates = { size: z.optional(z.date()), at: z.optional(z.iso.datetime()) };
    const declared = 'id' in part || 'self' in part ? Thing : resource(dates);
    const dated = defineApi({ ...api, collections: { things: collection('things', declared) } });
    z.config(z.locales.de());
    try {
      const error = await rejectionOf(connect(dated, () => [thing(1, part)]).api.things.list());
      expect((error as UnexpectedResponseError).message).toContain(hint);
    } finally {
      z.config(z.locales.en());
    }
  });

  test('showValues adds what was received', async () => {
    const error = await failing([thing(41, { size: 'huge' })], { showValues: true });
    expect(error.message).toContain(
      'at `0.size` (id 41): Invalid option: expected one of "s"|"m"; received "huge"',
    );
    expect(error.issues).toEqual([{ path: '0.size', message: expect.any(String), id: 41, value: '"huge"' }]);
  });

  test('showValues cuts a long value, and masks a secret in one', async () => {
    const long = await failing([thing(1, { size: 'x'.repeat(5_000) })], { showValues: true });
    expect(long.issues[0]?.value).toHaveLength(100);
    const secret = await failing([thing(1, { size: 'my lovelace' })], { showValues: true });
    expect(JSON.stringify(secret)).not.toContain('lovelace');
  });

  test('showValues masks a password below eight characters too: no value is known', async () => {
    const auth = basicAuth({ username: 'ada', password: 'love' });
    const { issues, message } = await failing([thing(1, { size: 'my love' })], { auth, showValues: true });
    expect(issues[0]?.value).toBe('"my ***"');
    expect(message).toContain('received "my ***"');
  });

  test('showValues shows a nested value as JSON, and none for a missing field', async () => {
    const nested = await failing([thing(1, { tags: ['a', { b: 1 }] })], { showValues: true });
    expect(nested.issues[0]).toMatchObject({ path: '0.tags.1', value: '{"b":1}' });
    const missing = await failing([thing(1, { size: undefined })], { showValues: true });
    expect(missing.issues[0]).not.toHaveProperty('value');
  });

  test('an id that is a password of digits is masked', async () => {
    const auth = basicAuth({ username: 'ada', password: '12345678' });
    const { issues } = await failing([thing(12_345_678, { size: 'huge' })], { auth });
    expect(issues).toEqual([{ path: '0.size', message: expect.any(String), id: '***' }]);
  });

  test('a value that is nested too deeply to be written is left out', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const body = JSON.stringify([thing(41, { size: 'deep' })]).replace('"deep"', deep);
    const headers = { 'content-type': 'application/json' };
    const error = await failing([], { showValues: true, fetch: async () => new Response(body, { headers }) });
    expect(error.issues).toEqual([{ path: '0.size', message: expect.any(String), id: 41 }]);
  });

  test('an observer of warnings gets the same', async () => {
    const events: Events['validation'][] = [];
    const on = { validation: (event: Events['validation']) => events.push(event) };
    const rows = [thing(41, { size: 'huge' })];
    const { things } = connect(api, () => rows, { validation: 'warn', showValues: true, on }).api;
    expect(await things.list().toArray()).toEqual(rows);
    expect(events[0]?.issues).toMatchObject([{ path: '0.size', id: 41, value: '"huge"' }]);
  });
});
