import { collection, defineApi, resource } from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { UsageError } from '../../src/cli/errors.ts';
import { formatTable } from '../../src/cli/output/records.ts';
import { readParameters } from '../../src/cli/parameters.ts';
import { resolvePath } from '../../src/cli/target.ts';

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
});
const toUrl = (text: string): URL => new URL(`money:${text}`);
const params = z.object({
  since: z.optional(isoDate),
  until: z.optional(z.date()),
  limit: z.optional(z.int()),
  size: z.optional(z.coerce.number()),
  tags: z.optional(z.array(z.string())),
  codes: z.optional(z.array(z.int())),
  names: z.optional(z.array(z.string())),
  length: z.optional(z.string().transform((value) => value.length)),
  days: z.optional(z.array(isoDate)),
  minTotal: z.optional(
    z.codec(z.string().regex(/^\d+\.\d{2}$/), z.instanceof(URL), { decode: toUrl, encode: String }),
  ),
  state: z.optional(
    z.codec(z.literal('O'), z.literal('open'), { decode: () => 'open' as const, encode: () => 'O' as const }),
  ),
  count: z.optional(z.codec(z.int(), z.bigint(), { decode: BigInt, encode: Number })),
  size64: z.optional(z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })),
});
const things = collection('things', resource({}), { params, repeated: ['names'] });
const at = '2025-01-01T00:00:00.000Z';

describe('the value of --param', () => {
  test.each<[string, readonly string[], unknown]>([
    ['a date that a codec decodes', [`since=${at}`], { since: new Date(at) }],
    ['a date', [`until=${at}`], { until: new Date(at) }],
    ['a number', ['limit=5'], { limit: 5 }],
    ['a string that the schema converts', ['size=5'], { size: 5 }],
    ['a string that a transform reads', ['length=abc'], { length: 'abc' }],
    ['a list with commas', ['tags=a,b'], { tags: ['a', 'b'] }],
    ['a list of numbers', ['codes=1,2'], { codes: [1, 2] }],
    ['a list, item by item', ['tags=a', 'tags=b'], { tags: ['a', 'b'] }],
    ['a list as JSON', ['tags=["a","b"]'], { tags: ['a', 'b'] }],
    ['an item of a repeated list, which may have a comma', ['names=a,b'], { names: ['a,b'] }],
    ['a list of dates that a codec decodes', [`days=${at},${at}`], { days: [new Date(at), new Date(at)] }],
    ['a string that a codec decodes to', ['state=open'], { state: 'open' }],
    ['a name that the client will refuse', ['colour=red'], { colour: 'red' }],
  ])('can be %s', async (_, given, expected) => {
    expect(await readParameters(things, given)).toEqual(expected);
  });

  test.each([
    [
      'minTotal=5',
      '"minTotal" does not match its declaration: Invalid string: must match pattern /^\\d+\\.\\d{2}$/',
    ],
    ['limit=many', '"limit" does not match its declaration: Invalid input: expected number, received string'],
    ['since=yesterday', '"since" does not match its declaration: Invalid ISO datetime'],
    [`days=${at},tomorrow`, '"days" does not match its declaration at `1`: Invalid ISO datetime'],
    ['count=1.5', '"count" does not match its declaration: Invalid input: expected int, received number'],
    ['size64=many', '"size64" does not match its declaration: its codec threw SyntaxError'],
  ])('that does not match is refused by the rule of the form on the wire: %s', async (given, problem) => {
    await expect(readParameters(things, [given])).rejects.toThrow(new UsageError(`--param ${problem}`));
  });

  test('of a list that is given item by item is refused by the rule of its item', async () => {
    await expect(readParameters(things, ['codes=1', 'codes=x'])).rejects.toThrow(
      '"codes" does not match its declaration at `1`: Invalid input: expected number, received string',
    );
  });

  test('can be given once only where it is not a list', async () => {
    await expect(readParameters(things, ['limit=1', 'limit=2'])).rejects.toThrow(
      '--param has "limit" more than once, and it is not a list',
    );
  });
});

test.each(['things/', 'things//parts', '/', 'things/7/'])(
  'a path with an empty segment is refused: %s',
  (path) => {
    const api = defineApi({ name: 'things', version: 1, auth: 'token', collections: { things } });
    expect(() => resolvePath(api, path)).toThrow(UsageError);
  },
);

test('a table has the values as they are, and no column of indexes', () => {
  const table = formatTable([
    { id: 1, at: new Date(at), name: 'Ada', tags: ['a'], note: null, line: 'a│b\nc' },
    { id: 2, at: new Date(at), name: '株式会社' },
  ]);
  expect(table.split('\n')[1]).toMatch(/^│ id │ at +│ name +│ tags +│ note │ line +│$/);
  expect(table.split('\n')[3]).toMatch(
    /^│ 1 +│ 2025-01-01T00:00:00.000Z │ Ada +│ \["a"\] │ null │ a│b\\nc │$/,
  );
  expect(table).not.toMatch(/'|index/);
});

test('a table has one cell for an instance of a class, as a codec makes it', () => {
  const price = { cents: 1250, toJSON: () => '12.50' };
  const table = formatTable([{ id: 1, price: Object.setPrototypeOf(price, { isMoney: true }) }]);
  expect(table.split('\n')[1]).toBe('│ id │ price   │');
  expect(table.split('\n')[3]).toBe('│ 1  │ "12.50" │');
});

describe('the key of a collection in place of its path', () => {
  const posts = collection('api/posts', resource({}));
  const remarks = collection('api/posts/:postId/remarks', resource({}));
  const archive = collection('remarks/archive', resource({}));
  const old = collection('archive', resource({}));
  const collections = { posts, remarks, archive, old };
  const blog = defineApi({ name: 'blog', version: 1, auth: 'token', collections });

  test.each([
    ['posts', { key: 'posts', id: undefined }],
    ['/posts', { key: 'posts', id: undefined }],
    ['posts/7', { key: 'posts', id: '7' }],
    ['posts/7%2F8', { key: 'posts', id: '7/8' }],
    ['posts/7/remarks', { key: 'remarks', id: undefined, parameters: { postId: '7' } }],
    ['posts/7/remarks/8', { key: 'remarks', id: '8', parameters: { postId: '7' } }],
  ])('stands for the path: %s', (given, target) => {
    expect(resolvePath(blog, given)).toMatchObject(target);
  });

  test('does not hide the path of another collection', () => {
    expect(resolvePath(blog, 'archive')).toMatchObject({ key: 'old', id: undefined });
  });

  test('with path parameters stands for its path without them', () => {
    expect(resolvePath(blog, 'remarks')).toMatchObject({ key: 'remarks', id: undefined, parameters: {} });
    expect(resolvePath(blog, 'remarks/8')).toMatchObject({ key: 'remarks', id: '8', parameters: {} });
  });
});
