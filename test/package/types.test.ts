import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';

// What must and must not compile, compiled against the packed package as a user's program is: with the declarations of
// every library checked too.

const types = new URL('../types/', import.meta.url);
const names = (await readdir(types)).filter((name) => name.endsWith('.types.ts'));
const texts = await Promise.all(names.map((name) => readFile(new URL(name, types), 'utf8')));
const all = texts.join('\n');

const prelude = [
  "import { basicAuth, collection, createClient, defineApi, resource } from 'restkin';",
  "import * as z from 'zod';",
  'const Company = resource({ name: z.string() });',
  "const auth = basicAuth({ username: 'ada', password: 'lovelace' });",
  "const client = createClient({ baseUrl: 'https://api.example.com', auth });",
];
const mistakes = [
  ["collection('x', Company, { sort: ['name', 'nme'] });", 'x has no field \\"nme\\"'],
  ["collection('x', Company, { sort: true, expand: ['contry'] });", 'x cannot expand \\"contry\\"'],
  ["collection('x', Company, { references: { name: 'a', nme: 'b' } });", 'x has no field \\"nme\\"'],
  [
    "collection('x', Company, { paging: { maxPerPage: 50, totls: false } });",
    'paging has no option \\"totls\\"',
  ],
  ["collection('x', Company, { paging: true, sorted: true });", 'a collection has no option \\"sorted\\"'],
  [
    "defineApi({ name: 'x', version: 1, auth: 'basic', collections: {}, baseUrl: 'x' });",
    'an API has no \\"baseUrl\\"',
  ],
  ["client.request({ method: 'GET', path: 'x', timeout: 3 });", 'a request has no \\"timeout\\"'],
] as const;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const ordering = await readFile(new URL('../support/ordering.ts', import.meta.url), 'utf8');
  await consumer.write('support/ordering.ts', ordering);
  for (const [index, name] of names.entries()) await consumer.write(`types/${name}`, texts[index] ?? '');
}, 60_000);
afterAll(() => consumer.remove());

describe('types', () => {
  test('at least 60 wrong uses, each with its reason, and 60 exact results', () => {
    expect(all.match(/@ts-expect-error \S+ \S+/g)?.length).toBeGreaterThanOrEqual(60);
    expect(all.match(/@ts-expect-error\s*$/gm)).toBeNull();
    expect(all.match(/\(\)\.exactly</g)?.length).toBeGreaterThanOrEqual(60);
  });

  test.each(compilers)(
    'compile in a consumer with %s',
    async (compiler) => {
      expect(
        await consumer.compile(
          compiler,
          names.map((name) => `types/${name}`),
        ),
      ).toBe('');
    },
    120_000,
  );

  test.each(compilers)(
    'a name that a declaration does not have is one error, which says so: %s',
    async (compiler) => {
      const lines = mistakes.map(([line]) => line);
      await consumer.write('mistakes.ts', [...prelude, ...lines, 'export {};'].join('\n'));
      const errors = (await consumer.compile(compiler, ['mistakes.ts'])).match(/^\S+ error TS.*$/gm) ?? [];
      for (const [index, [, message]] of mistakes.entries()) expect(errors[index]).toContain(message);
      expect(errors).toHaveLength(mistakes.length);
    },
    120_000,
  );
});
