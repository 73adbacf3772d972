import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as presets from 'restkin/families';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as chained from '../support/chained-program.ts';
import {
  type Compiler,
  type Consumer,
  compilersOfRun,
  createConsumer,
  outerCompilers,
} from '../support/consumer.ts';
import { exportedFamily } from '../support/exported-family.ts';
import { createLargeProgram } from '../support/large-program.ts';
import { isFullRun } from '../support/runs.ts';
import { readEntries } from './docs-blocks.ts';

// What must and must not compile, compiled against the packed package as a user's program is.

const types = new URL('../types/', import.meta.url);
const names = (await readdir(types, { recursive: true })).filter((name) => name.endsWith('.types.ts'));
const texts = await Promise.all(names.map((name) => readFile(new URL(name, types), 'utf8')));
const all = texts.join('\n');

const prelude = [
  "import { basicAuth, collection, createClient, defineApi, endpoint, resource } from 'restkin';",
  "import { queries } from 'restkin/query';",
  "import * as z from 'zod';",
  'const Company = resource({ name: z.string(), city: z.string() });',
  "const auth = basicAuth({ username: 'ada', password: 'lovelace' });",
  "const client = createClient({ baseUrl: 'https://api.example.com', auth });",
  "const tokens = defineApi({ name: 'tokens', version: 1, auth: 'token', collections: {} });",
  "const sorted = collection('a', Company, { sort: true, fields: true });",
  "const year = collection('c', Company, { accepts: ['create'], params: z.object({ year: z.int(), 'year[gte]': z.optional(z.int()) }) });",
  "const none = collection('b', Company, { expand: [] });",
  "const { a, b, c } = client.api(defineApi({ name: 'x', version: 1, auth: 'basic', collections: { a: sorted, b: none, c: year } }));",
  "const one = endpoint('GET', 'one', { response: Company });",
  "const d = collection('d', Company, { actions: { go: endpoint('POST', 'go', { response: Company }) } });",
  "const ended = defineApi({ name: 'y', version: 1, auth: 'basic', collections: { d }, endpoints: { one } });",
  "const apart = { sort: ['name'], limt: 5 } as const;",
];
// Those of the first hour stand in first-hour.test.ts.
const mistakes = [
  [
    "collection('x', Company, { sort: true, expand: ['contry'] });",
    '\'"no field of the resource is made by expandable()"\'',
  ],
  [
    "endpoint('GET', 'x', { response: Company, expand: ['contry'] });",
    '\'"no field of the resource is made by expandable()"\'',
  ],
  [
    "collection('x', Company, { params: z.object({ q: z.string() }), repeated: ['q'] });",
    '\'"no parameter is a list"\'',
  ],
  [
    "void client.follow(Company, '/v1/x', { expand: ['contry'] });",
    '\\"the resource\\" declares no names for expand',
  ],
  ["void b.query().expand('x');", '\\"b\\" declares no names for expand'],
  ["collection('x', Company, { paging: { maxPerPage: 50, totls: false } });", 'UnknownName<"totls", '],
  ["collection('x', Company, { key: 'nme' });", '"city"'],
  ["collection('x', Company, { params: z.string() });", "type 'Schema & ObjectSchema<unknown>'"],
  ["client.request({ method: 'GET', path: 'x', timeout: 3 });", 'UnknownName<"timeout"'],
  ["client.request({ method: 'GET', path: 'x', api: tokens });", 'needs the scheme \\"token\\"'],
  ["void a.list({ sort: ['name'], limt: 5 });", "Did you mean to write 'limit'?"],
  ["void a.get(7, { filds: ['name'] });", "Did you mean to write 'fields'?"],
  ['void a.get(7, { page: 1 });', "'page' does not exist in type 'KnownNames<"],
  ['void a.list(apart);', '"limt">'],
  ["void a.get(7, { fields: ['nme'] });", '"city"'],
  ["void a.list({ sort: '-name' });", 'write a list: [\\"-name\\"]'],
  [
    "void a.list({ expand: ['x'] });",
    '\\"a\\" does not declare expand; add it to the options of collection()',
  ],
  [
    "void client.api(ended).one({ fields: ['name'] });",
    '\\"one\\" does not declare fields; add it to the options of endpoint()',
  ],
  ["void client.api(ended).d.go(1, { expand: ['x'] });", 'add it to the options of endpoint()'],
  ['void c.query().list();', "Property 'list' does not exist on type 'QueryBuilder<"],
  ['void a.list({ perPage: 5 });', '\\"a\\" does not declare paging; add it to the options of collection()'],
  ["void a.query().sort('nme');", '"-city"'],
  ['void c.list({ year: 5 });', 'write it in params: { params: { year } }'],
  ["void c.list({ 'year[gte]': 5 });", 'write it in params: { params: { \\"year[gte]\\": … } }'],
  ['void c.list({ timeoutMs: 5 });', 'readonly params: {'],
  // A result is shown by its fields, in an order that depends on the compiler.
  ["void a.get(7, { fields: ['name'] }).then((company): never => company);", "error TS2322: Type '{ "],
  ['void a.get(7).then((company): never => company);', "error TS2322: Type '{ "],
  ['queries(client.api(ended), ended);', 'queries takes a client, and then the API: queries(client, api)'],
  ["void c.create({ name: 'x', city: 'y' }).then(({ name }) => name);", 'city: string;'],
] as const;

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  for (const name of ['ordering.ts', 'endpoints.ts']) {
    const text = await readFile(new URL(`../support/${name}`, import.meta.url), 'utf8');
    await consumer.write(`support/${name}`, text);
  }
  for (const [index, name] of names.entries()) await consumer.write(`types/${name}`, texts[index] ?? '');
  const wrong = mistakes.map(([line]) => line);
  await consumer.write('mistakes.ts', [...prelude, ...wrong, 'export {};'].join('\n'));
}, 60_000);
afterAll(() => consumer.remove());

describe('types', () => {
  test('at least 60 wrong uses, each with its reason, and 60 exact results', () => {
    expect(all.match(/@ts-expect-error \S+ \S+/g)?.length).toBeGreaterThanOrEqual(60);
    expect(all.match(/@ts-expect-error\s*$/gm)).toBeNull();
    expect(all.match(/\(\)\.exactly</g)?.length).toBeGreaterThanOrEqual(60);
  });

  test('those of the options for TanStack Query are checked in React and in Vue', () => {
    expect(names).toEqual(expect.arrayContaining(['query/react.types.ts', 'query/vue.types.ts']));
  });

  test.each(outerCompilers)(
    'compile in a consumer, and a mistake is one error, which says what to do: %s',
    async (compiler) => {
      const files = [...names.map((name) => `types/${name}`), 'mistakes.ts'];
      const errors = (await consumer.compile(compiler, files)).match(/^\S.*$/gm) ?? [];
      expect(errors.filter((error) => !/^mistakes\.ts\(.*error TS/.test(error))).toEqual([]);
      for (const [index, [, message]] of mistakes.entries()) expect(errors[index]).toContain(message);
      expect(errors).toHaveLength(mistakes.length);
    },
    120_000,
  );

  test.each(outerCompilers)(
    'a login without its password is an error that says so: %s',
    async (compiler) => {
      const login = "tokenAuth({ authUrl: 'https://auth.example.com', username: 'ada' });";
      await consumer.write('login.ts', `import { tokenAuth } from 'restkin';\n${login}\n`);
      const output = await consumer.compile(compiler, ['login.ts']);
      expect(output).toContain("Property 'password' is missing");
      expect(output).not.toContain("'credentials'");
    },
    60_000,
  );

  test('are right in every entry, and in the libraries that it names', async () => {
    const lines = (await readEntries()).map((entry, index) => `export * as e${index} from '${entry}';`);
    await consumer.write('entries.ts', lines.join('\n'));
    const options = ['--skipLibCheck', 'false'];
    expect(await consumer.compile('typescript-7', ['entries.ts'], options)).toBe('');
  }, 60_000);

  test.each([
    [
      'without exactOptionalPropertyTypes and noUncheckedIndexedAccess',
      ['--exactOptionalPropertyTypes', 'false', '--noUncheckedIndexedAccess', 'false'],
    ],
    ['with strictNullChecks alone in place of strict', ['--strict', 'false', '--strictNullChecks', 'true']],
  ])(
    'compile %s',
    async (_, options) => {
      const files = names.map((name) => `types/${name}`);
      expect(await consumer.compile('typescript-7', files, options)).toBe('');
    },
    120_000,
  );

  // The two count the same to half a percent, if 7.0 checks in one thread; it takes a quarter of the time.
  const counting: readonly [Compiler, ...string[]] = isFullRun
    ? ['typescript']
    : ['typescript-7', '--singleThreaded'];
  // `yii2` has every part, and so costs most.
  const measured = isFullRun ? Object.keys(presets) : ['yii2'];

  test.each([['the main entry', undefined] as const, ...measured.map((name) => [name, name] as const)])(
    '100 collections with five calls of each cost at most 500,000 instantiations: %s',
    async (_, preset) => {
      const large = createLargeProgram(preset);
      await consumer.write('large/declaration.ts', large.declaration);
      await consumer.write('large/program.ts', large.program);
      const [compiler, ...options] = counting;
      const files = ['large/program.ts'];
      const output = await consumer.compile(compiler, files, ['--extendedDiagnostics', ...options]);
      expect(output).not.toContain('error TS');
      expect(Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])).toBeLessThanOrEqual(500_000);
    },
    120_000,
  );

  test.each(compilersOfRun)(
    'a declaration file names what a program exports of 40 collections that expand each other: %s',
    async (compiler) => {
      await consumer.write('chained/declaration.ts', chained.declaration);
      await consumer.write('chained/program.ts', chained.program);
      const emit = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false'];
      const options = [...emit, '--rewriteRelativeImportExtensions', '--outDir', `emitted-${compiler}`];
      expect(await consumer.compile(compiler, ['chained/program.ts'], options)).toBe('');
      // As programs, so that they alone are checked, without declarations of libraries; by the fast compiler.
      const emitted = ['program', 'declaration'].map((name) => `emitted-${compiler}/${name}`);
      for (const name of emitted) {
        const text = await readFile(join(consumer.folder, `${name}.d.ts`), 'utf8');
        await consumer.write(`checked/${name}.ts`, text);
      }
      const programs = emitted.map((name) => `checked/${name}.ts`);
      expect(await consumer.compile('typescript-7', programs)).toBe('');
    },
    120_000,
  );

  test.each(compilersOfRun)(
    'a declaration file names what a program exports of families: %s',
    async (compiler) => {
      await consumer.write('families/program.ts', exportedFamily);
      const emit = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false'];
      const options = [...emit, '--outDir', `families-${compiler}`];
      expect(await consumer.compile(compiler, ['families/program.ts'], options)).toBe('');
    },
    120_000,
  );
});
