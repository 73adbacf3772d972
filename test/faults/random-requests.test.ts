import { collection, defineApi, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { origin } from '../mocks/calls.ts';
import fc from '../support/random.ts';
import { isFullRun } from '../support/runs.ts';

const Person = resource({
  name: z.string(),
  get boss(): $ZodType {
    return z.optional(expandable(Person));
  },
});
const Note = resource({
  text: z.string(),
  any: z.any(),
  size: z.optional(z.nullable(z.int())),
  extra: z.optional(z.record(z.string(), z.unknown())),
  either: z.optional(z.union([z.number(), z.object({ deep: z.array(z.string()) })])),
  tags: z.optional(z.array(z.string())),
  parts: z.optional(z.array(resource({ at: z.iso.datetime() }))),
  author: z.optional(z.nullable(expandable(Person))),
});

/** Everything of the conventions, and schemas of every kind. */
const api = defineApi({
  name: 'random',
  version: 1,
  auth: 'open',
  collections: {
    notes: collection('notes', Note, {
      sort: true,
      fields: true,
      expand: ['author'],
      paging: { maxPerPage: 50 },
      bulk: { maxItems: 5 },
      params: z
        .object({ text: z.string(), size: z.int(), on: z.boolean(), ids: z.array(z.number()) })
        .partial(),
    }),
    people: collection('people', Person, {
      sort: true,
      fields: true,
      expand: ['boss'] as never[],
      paging: true,
    }),
    personNotes: collection('people/:authorId/notes', Note, { sort: true, paging: { totals: false } }),
    keyed: collection('keyed', Note, { key: 'text', bulk: { maxItems: 5 } }),
    personKeyed: collection('people/:authorId/keyed', Note, {
      key: 'size',
      bodies: { create: z.object({ text: z.string() }), replace: z.object({}), update: z.unknown() },
    }),
    own: collection('own', Note, { bodies: { create: z.object({ text: z.string() }), update: z.unknown() } }),
  },
});

const row = { text: 'a', any: 1, tags: ['x'], author: { id: 1 }, parts: [{ at: '2026-01-01T00:00:00Z' }] };
const start = () =>
  createMock(api, {
    data: {
      people: [{ name: 'Ann' }, { name: 'Bob', boss: 1 }],
      notes: [row, row],
      own: [row],
      keyed: [row],
    },
    deprecated: { since: new Date(0) },
  });

const words = (text: string): string[] => text.split(' ');
const oneOf = (text: string) => fc.constantFrom(...words(text));
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const odd = [...words(', . - -1 0 1e9 999999999999999999 %00 %zz __proto__ constructor ø 😀'), ''];
const names = words(
  'id self text any any.x extra.a either.deep parts.at author author.name boss boss.boss.name',
);
const anyName = fc.oneof(fc.constantFrom(...names, ...odd), fc.string({ maxLength: 6 }));
const id = fc.constantFrom('1', '2', 'a', '77', '%F0', '..', 'a b', ...odd);
const path = fc
  .tuple(
    oneOf('notes people own keyed people/1/notes people/1/keyed people/%zz/notes auth/token v1'),
    fc.option(id),
  )
  .map(([first, last]) => `/v1/${first}${last === null ? '' : `/${last}`}`);
const queryValue = fc.oneof(
  { weight: 20, arbitrary: anyName },
  { weight: 10, arbitrary: fc.array(anyName, { maxLength: 4 }).map(String) },
  { weight: 1, arbitrary: fc.constant('boss.'.repeat(5_000)) },
);
const query = fc
  .array(fc.tuple(oneOf('sort fields expand page perPage text size on ids nope __proto__'), queryValue), {
    maxLength: 3,
  })
  .map((pairs) => new URLSearchParams(pairs).toString());
const headers = fc.dictionary(
  oneOf('accept content-type content-encoding authorization if-none-match modified-since range'),
  fc.oneof(
    oneOf('*/* text/csv application/json application/json;charset=x gzip q=;,"'),
    fc.constantFrom('Bearer x', 'Basic ??'),
  ),
  { maxKeys: 3 },
);
const deep = { ...row, any: JSON.parse(nested(60)) };
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(row, [row], [row, {}], deep, { id: 1, text: 'b' }, { author: { id: 2 } }),
  fc
    .tuple(fc.constantFrom(...Object.keys(row), 'id'), fc.jsonValue())
    .map(([name, value]) => ({ ...row, [name]: value })),
);
const body = fc.oneof(
  { weight: 10, arbitrary: values.map((value) => JSON.stringify(value)) },
  fc.constantFrom(
    nested(10_000),
    nested(100),
    '{"text":'.repeat(5_000),
    '{"__proto__":{"a":1}}',
    '[[',
    '\0',
    '',
  ),
  fc.uint8Array({ maxLength: 20 }),
);
const method = oneOf('GET GET GET POST POST PUT PATCH DELETE OPTIONS HEAD FOO');
const request = fc.record({ method, path, query, headers, body });

const sessions = isFullRun ? 1_000 : 200;

test('§7.1 no random request gets 500', { timeout: 120_000 }, async () => {
  const session = fc.array(request, { minLength: 20, maxLength: 20, size: 'max' });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(session, async (requests) => {
      const mock = start();
      for (const { method, path: target, query: search, headers: fields, body: content } of requests) {
        const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
        const init = { method, headers: { 'content-type': 'application/json', ...fields } };
        const url = `${origin}${target}?${search}`;
        const response = await mock.respond(new Request(url, hasBody ? { ...init, body: content } : init));
        count += 1;
        expect({ method, target, search, status: response.status }).not.toHaveProperty('status', 500);
      }
    }),
    { numRuns: sessions },
  );
  expect(count).toBe(20 * sessions);
});
