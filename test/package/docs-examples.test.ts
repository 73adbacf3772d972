import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';
import { type Block, blocksOf, readDocument, readEntries, runBlocks, writeBlocks } from './docs-blocks.ts';

// Every `@example` of the source, with what it takes for granted, compiled and run against the package.

const folders = ['src', 'mocks'] as const;
/** What an example uses and does not say, and where it comes from. */
const given = new Map(
  [
    ['z', "import * as z from 'zod';"],
    ['Order Company ordering', "import { $ } from './ordering.ts';"],
    ['client orders', "import { $ } from './client.ts';"],
    [
      'Body Collection DeclaredBy Fake Fetch Id Item Operations Query StoredRecord TokenStore',
      "import type { $ } from 'restkin';",
    ],
    ['MockUser', "import type { $ } from 'restkin/mocks';"],
    ['mock', "import { $ } from './used-mock.ts';"],
    ['setupServer', "import { $ } from 'msw/node';"],
    ['test afterEach', "import { $ } from 'node:test';"],
    [
      'authUrl baseUrl auth username password apiKey error showAt showMissing lookBeforeSendingAgain queryClient redis pool ourStore',
      "import { $ } from './around.ts';",
    ],
  ].flatMap(([names = '', line = '']) =>
    names.split(' ').map((name) => [name, line.replace('$', name)] as const),
  ),
);

/** What surrounds an example in a program. */
const around = `
import { QueryClient } from '@tanstack/query-core';
import { memoryStore, tokenAuth, type TokenStore } from 'restkin';
import type { RedisClient } from 'restkin/redis';

export const [authUrl, baseUrl, username, password, apiKey] =
  ['https://auth.example.com', 'https://api.example.com', 'ada', 'lovelace', 'k-1234'] as const;
export const auth = tokenAuth({ authUrl, username, password });
export const error: unknown = undefined;
export const showAt = (field: string, items: readonly { readonly code?: string | undefined }[] = []): void =>
  console.log(field, items.length);
export const showMissing = (detail: string | undefined): void => console.log(detail);
export const lookBeforeSendingAgain = async (): Promise<void> => undefined;
export const queryClient = new QueryClient();
export const redis: RedisClient = { call: async () => null };
export const pool = memoryStore();
export const ourStore = (store: TokenStore): TokenStore => store;
`;

/** A mock after a login, a POST and two renewals. */
const usedMock = `
import { createClient, tokenAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { ordering } from './ordering.ts';

export const mock = createMock(ordering, { generate: { orders: 1 }, data: { companies: [{ name: 'Acme', city: 'Oslo' }] } });
const auth = tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada', password: 'lovelace' });
const { orders } = createClient({ baseUrl: 'https://api.example.com', auth, fetch: mock.fetch }).api(ordering);
const { id: _id, self: _self, ...body } = await orders.get(1);
await orders.create(body);
for (let renewal = 0; renewal < 2; renewal++) {
  mock.clock.advance({ minutes: 11 });
  await orders.get(1);
}
`;

const withoutMargin = (comment: string): string => comment.replace(/^\s*\* ?/gm, '');

/** The examples of one file. */
const examplesOf = (path: string, source: string): readonly Block[] =>
  [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .flatMap(([, comment = '']) => withoutMargin(comment).split('@example').slice(1))
    .map((example, index) => ({
      file: `${path.replaceAll('/', '-').replace(/\.ts$/, '')}-${index + 1}.ts`,
      code: /^\s*```ts\n([\s\S]*?)```/.exec(example)?.[1] ?? '',
    }));

const found: Block[] = [];
for (const folder of folders) {
  const paths = await readdir(new URL(`../../${folder}`, import.meta.url), { recursive: true });
  for (const path of paths.filter((name) => name.endsWith('.ts')).sort()) {
    found.push(...examplesOf(`${folder}/${path}`, await readDocument(`${folder}/${path}`)));
  }
}

const declares = (code: string, name: string): boolean =>
  new RegExp(
    `(?:const|let|function|class)\\s+(?:\\{[^}]*\\b)?${name}\\b|\\bimport\\s[^;]*\\b${name}\\b[^;]*;`,
  ).test(code);

/** Fields of objects, names behind a dot and texts are none. */
const uses = (code: string, name: string): boolean =>
  new RegExp(`(?<!(?<!\\.\\.)\\.|['"/\\w])${name}\\b(?!['"\\w]|:)`).test(
    code.replace(/(?<=^|\s)\/\/.*$/gm, ''),
  );

/** An example with the imports that a program has at its top, and a port that is free. */
const complete = (code: string, exported: ReadonlyMap<string, string>): string => {
  const imports = new Map([...exported].map(([name, from]) => [name, `import { ${name} } from '${from}';`]));
  const needed = [...new Map([...imports, ...given])].filter(
    ([name]) => uses(code, name) && !declares(code, name),
  );
  return [...needed.map(([, line]) => line), code.replace('port: 4010', 'port: 0'), 'export {};'].join('\n');
};

/** The values that the entries of a consumer export. */
const exportsOf = async (consumer: Consumer): Promise<ReadonlyMap<string, string>> => {
  const lines = (await readEntries()).map(
    (entry) => `[${JSON.stringify(entry)}, Object.keys(await import('${entry}'))]`,
  );
  await consumer.write('names.js', `console.log(JSON.stringify([${lines.join(', ')}]));`);
  const { stdout } = await consumer.node(['names.js']);
  const names: readonly (readonly [string, readonly string[]])[] = JSON.parse(stdout);
  return new Map(names.flatMap(([entry, list]) => list.map((name) => [name, entry] as const)));
};

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const exported = await exportsOf(consumer);
  const shared = blocksOf(await readDocument('README.md')).filter(({ file }) => /^\w+\.ts$/.test(file));
  await writeBlocks(consumer, 'examples', [
    ...shared,
    { file: 'around.ts', code: around },
    { file: 'used-mock.ts', code: usedMock },
    ...found.map(({ file, code }) => ({ file, code: complete(code, exported) })),
  ]);
}, 60_000);
afterAll(() => consumer.remove());

describe('the examples in comments', () => {
  test('each has a block of TypeScript', () => {
    expect(found.length).toBeGreaterThanOrEqual(15);
    expect(found.filter(({ code }) => code.trim() === '')).toEqual([]);
  });

  // One compiler: the README and the guides go through all of them.
  test('they compile', async () => {
    const files = found.map(({ file }) => `examples/${file}`);
    expect(await consumer.compile('typescript-7', files)).toBe('');
  }, 60_000);

  test.each(folders)(
    'those of %s run and end by themselves',
    async (folder) => {
      const files = found.map(({ file }) => file).filter((file) => file.startsWith(folder));
      expect([...(await runBlocks(consumer, 'examples', files)).keys()]).toEqual(files);
    },
    60_000,
  );
});
