import { collection, defineApi, resource } from 'restkin';
import { createMock, type MockOptions, serve } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { send } from './calls.ts';

const Note = resource({ text: z.string(), tags: z.array(z.string()), any: z.unknown() });
const api = defineApi({
  name: 'limits',
  version: 1,
  auth: 'open',
  collections: {
    notes: collection('notes', Note),
    many: collection('many', Note, { bulk: { maxBytes: 3_000_000 } }),
  },
});
const start = (options: MockOptions<typeof api> = {}) => createMock(api, options);
const note = { text: 'a', tags: [], any: null };

const post = (mock: ReturnType<typeof start>, path: string, body: unknown) =>
  send(mock, path, { method: 'POST', body });

describe('§7.1 what a client sends is never a 500', () => {
  test('10,000 levels of nesting get 400, and the list stays readable', async () => {
    const mock = start();
    const deep = `{"text":"a","tags":[],"any":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect(await post(mock, '/v1/notes', deep)).toMatchObject({
      status: 400,
      json: { message: 'The request body must have at most 100 levels' },
    });
    expect((await post(mock, '/v1/notes', { ...note, any: [[['[[[[']]] })).status).toBe(201);
    expect((await send(mock, '/v1/notes')).status).toBe(200);
  });

  test('50,000 wrong elements get 400 with the first 100 of them', async () => {
    const body = { ...note, tags: Array(50_000).fill(1) };
    const { status, json } = await post(start(), '/v1/notes', body);
    expect([status, json.errors.length]).toEqual([400, 100]);
    expect(json.errors[99].field).toBe('tags.99');
  });

  test('200,000 wrong elements, more than zod can count, get 400', async () => {
    const { status, text } = await post(start(), '/v1/notes', { ...note, tags: Array(200_000).fill(1) });
    expect([status, text.length < 20_000]).toEqual([400, true]);
  });

  test('260,000 invalid items of a bulk request get 400 with the first 100 of them', async () => {
    const { status, json } = await post(start(), '/v1/many', Array(260_000).fill(1));
    expect([status, json.errors.length]).toEqual([400, 100]);
    expect(json.errors[99].field).toBe('99');
  });

  test('more than a million values get 400 before the body is parsed', async () => {
    const { status, json } = await post(start(), '/v1/notes', `{"any":[${'1,'.repeat(1_000_000)}1]}`);
    expect([status, json]).toEqual([400, { message: 'The request body must have at most 1000000 values' }]);
  });

  test('an array of 200,000 elements in a row can be written and read', async () => {
    const mock = start();
    expect((await post(mock, '/v1/notes', { ...note, tags: Array(200_000).fill('t') })).status).toBe(201);
    expect((await send(mock, '/v1/notes/1')).json.tags).toHaveLength(200_000);
  });
});

describe('§7.1 413 is for bulk requests only', () => {
  const large = { ...note, text: 'x'.repeat(2_000_000) };

  test('a single resource of 2 MB is created', async () => {
    expect((await post(start(), '/v1/notes', large)).status).toBe(201);
    expect((await post(start(), '/v1/many', { ...large, any: 'y'.repeat(1_000_000) })).status).toBe(201);
  });

  test('a bulk request may have as many bytes as the collection declares', async () => {
    expect((await post(start(), '/v1/many', [large])).status).toBe(201);
    expect((await post(start({ maxBodyBytes: 100 }), '/v1/many', [large])).status).toBe(201);
    expect((await post(start(), '/v1/many', [large, large])).status).toBe(413);
  });

  test('maxBodyBytes bounds what is kept in memory: 400, and 413 where bulk requests are declared', async () => {
    const mock = start({ maxBodyBytes: 1_000 });
    await using server = await serve(mock);
    const send = async (path: string, bytes: number) =>
      (
        await fetch(`${server.url}/v1/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...note, text: 'x'.repeat(bytes) }),
        })
      ).status;
    expect(await send('notes', 900)).toBe(201);
    expect(await send('notes', 5_000_000)).toBe(400);
    expect(await send('many', 5_000_000)).toBe(413);
  });

  test.each([0, 1.5, '9', Number.NaN])('maxBodyBytes: %j is refused', (maxBodyBytes) => {
    expect(() => start({ maxBodyBytes: maxBodyBytes as number })).toThrow(/maxBodyBytes/);
  });
});
