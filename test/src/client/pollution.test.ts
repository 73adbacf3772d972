import fc from 'fast-check';
import {
  BadRequestError,
  basicAuth,
  collection,
  createClient,
  defineApi,
  resource,
  ValidationError,
} from 'restkin';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { basicOrdering, connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { json, record } from '../../support/recording-server.ts';

const prototype = Object.prototype as Record<string, unknown>;
const polluting = '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}';

afterEach(() => {
  for (const name of ['polluted', 'x-polluted', 'cache', 'body', 'query']) delete prototype[name];
});

describe('a body with the names of prototypes changes nothing', () => {
  test('a value, its nested objects and its unknown fields', async () => {
    const text = JSON.stringify(order(7))
      .replace('{', `${polluting},`)
      .replace('"device":{', `"device":${polluting},`);
    await using server = await record(() => ({ ...json({}), body: text }));
    const { orders, client } = connect(server.url);
    const value = await orders.get(7);
    expect(value).toMatchObject({ id: 7, status: 'open', device: { model: 'M1', serial: 'S-1' } });
    expect([prototype.polluted, (value as Record<string, unknown>).polluted]).toEqual([undefined, undefined]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    await client.request({ method: 'GET', path: 'x' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('an error body and its fields', async () => {
    const errors = ['__proto__', '__proto__.polluted', 'constructor', 'toString'].map((field) => ({
      field,
      code: 'invalid',
    }));
    const text = `${polluting},${JSON.stringify({ message: 'no', errors }).slice(1)}`;
    await using server = await record(() => ({ ...json({}, 400), body: text }));
    const error = await failureOf(connect(server.url).orders.create(orderBody), ValidationError);
    expect(Object.keys(error.fieldErrors)).toEqual(errors.map(({ field }) => field));
    expect([error.detail, prototype.polluted]).toEqual(['no', undefined]);
  });

  test('a body that is only that', async () => {
    await using server = await record(() => ({ ...json({}, 400), body: `${polluting}}` }));
    const error = await failureOf(connect(server.url).orders.get(7), BadRequestError);
    expect([error.detail, prototype.polluted]).toEqual([undefined, undefined]);
  });
});

describe('a prototype that another package has polluted', () => {
  const requestsWith = async (pollute: () => void) => {
    await using server = await record(({ method }) => (method === 'GET' ? json(order(7)) : { status: 204 }));
    pollute();
    const auth = basicAuth(login);
    const client = createClient({ baseUrl: server.url, auth, headers: { 'x-own': '1' }, retry: false });
    const { orders } = client.api(basicOrdering);
    await orders.get(7, { fields: ['status'] }).catch(() => undefined);
    await orders.get(7, { headers: { 'x-call': '1' } });
    await orders.replace(7, orderBody);
    await client.request({ method: 'GET', path: 'x', query: { a: 1 } });
    return server.requests.map(({ url, headers, body }) => JSON.stringify([url, headers, body]));
  };

  test('does not end up in the own query parameters of a list', async () => {
    await using server = await record(() => json([]));
    const client = createClient({ baseUrl: server.url, auth: basicAuth(login) });
    const things = collection('things', resource({}), {
      params: z.object({ polluted: z.optional(z.string()) }),
    });
    const api = defineApi({ name: 'x', version: 1, auth: 'basic', collections: { things } });
    prototype.polluted = 'yes';
    await client.api(api).things.list({ params: {} });
    await client.api(api).things.list();
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/things', '/v1/things']);
  });

  test('does not end up in requests', async () => {
    const clean = await requestsWith(() => undefined);
    const dirty = await requestsWith(() => {
      prototype.polluted = 'polluted';
      prototype['x-polluted'] = 'polluted';
    });
    expect(dirty).toHaveLength(4);
    expect(dirty.join('\n')).not.toContain('polluted');
    expect(dirty.map((text) => text.replaceAll(/127\.0\.0\.1:\d+/g, ''))).toEqual(
      clean.map((text) => text.replaceAll(/127\.0\.0\.1:\d+/g, '')),
    );
  });
});

describe('what the server decodes is what was given', () => {
  const decoded = async (count: number, check: (send: Sender) => Promise<void>) => {
    await using server = await record(() => json({}));
    const { client, orders } = connect(server.url);
    await check({ client, orders, last: () => server.requests.at(-1)?.url ?? '' });
    expect(server.requests.length).toBeGreaterThanOrEqual(count);
  };
  interface Sender extends Pick<ReturnType<typeof connect>, 'client' | 'orders'> {
    readonly last: () => string;
  }
  const text = fc.string({ unit: 'grapheme', minLength: 1 });

  test('a segment of a path', async () => {
    await decoded(20, async ({ orders, last }) => {
      await fc.assert(
        fc.asyncProperty(
          text.filter((id) => id !== '.' && id !== '..'),
          async (id) => {
            await orders.delete(id as unknown as number).catch(() => undefined);
            const segments = last().split('/');
            expect(segments).toHaveLength(4);
            expect(decodeURIComponent(segments[3] ?? '')).toBe(id);
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  test('names and values of a query', async () => {
    await decoded(20, async ({ client, last }) => {
      await fc.assert(
        fc.asyncProperty(fc.dictionary(text, text, { minKeys: 1, maxKeys: 4 }), async (query) => {
          await client.request({ method: 'GET', path: 'x', query });
          const found = [...new URL(last(), 'http://a.test').searchParams.entries()];
          expect(found).toEqual(Object.entries(query));
        }),
        { numRuns: 60 },
      );
    });
  });

  test('a login with Basic', async () => {
    const printable = fc.string({ unit: 'grapheme', minLength: 1 }).filter((part) => !/\p{Cc}/u.test(part));
    await fc.assert(
      fc.asyncProperty(
        printable.filter((name) => !name.includes(':')),
        printable,
        async (username, password) => {
          let value = '';
          const fetch = async (input: Request | string | URL, init?: RequestInit) => {
            value = new Request(input, init).headers.get('authorization') ?? '';
            return Response.json({});
          };
          const client = createClient({
            baseUrl: 'http://127.0.0.1',
            auth: basicAuth({ username, password }),
            fetch,
          });
          await client.request({ method: 'GET', path: 'x' });
          expect(Buffer.from(value.slice('Basic '.length), 'base64').toString()).toBe(
            `${username}:${password}`,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
