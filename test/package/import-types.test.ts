import fc from 'fast-check';
import { toOpenApi } from 'restkin/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordering } from '../../examples/ordering.ts';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { importOf } from '../support/import-document.ts';
import { oddDocument } from '../support/odd-document.ts';
import {
  anyFields,
  declareApi,
  type Field,
  type Fields,
  isExpandable,
  pathsOf,
  sourceOf,
} from '../support/random-model.ts';
import { readDocument } from './docs-blocks.ts';

// Declarations, exported and imported again, as programs: each type is compared with the one of the first declaration.

const codec =
  'z.codec(z.iso.datetime(), z.date(), { decode: (t) => new Date(t), encode: (d) => d.toISOString() })';

/** A made-up declaration as it is on the wire: a document knows neither codecs nor `zod/mini`. */
const onTheWire = (fields: Fields): string => {
  const plain = (of: Fields): Fields =>
    Object.fromEntries(
      Object.entries(of).map(([name, field]): [string, Field] => [
        name,
        { ...field, mini: false, fields: plain(field.fields) },
      ]),
    );
  return sourceOf(plain(fields)).replaceAll(codec, 'z.iso.datetime()');
};

const comparison = `
type Plain<T> = T extends (infer I)[] ? Plain<I>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._same: Equal<Plain<A>, Plain<B>> extends true ? [] : [never]) => undefined;
declare const client: Client;
`;

const block = (fields: Fields, index: number): string => {
  const limited = pathsOf(fields).filter((_, at) => at % 2 === index % 2);
  const expand = pathsOf(fields, isExpandable);
  const query = JSON.stringify({
    ...(limited.length > 0 && { fields: limited }),
    ...(index % 3 > 0 && expand.length > 0 && { expand }),
  });
  return `{
  const R = ${onTheWire(fields)};
  const roots = collection('roots', R, { fields: true, expand: ${JSON.stringify(expand)}, paging: true });
  const a = client.api(defineApi({ name: 'random', version: 1, auth: 'token', collections: { roots } })).roots;
  const b = client.api(random${index}).roots;
  const [one, other, limited, otherLimited] = [await a.get(1), await b.get(1), await a.get(1, ${query}), await b.get(1, ${query})];
  same<typeof one, typeof other>();
  same<typeof limited, typeof otherLimited>();
  same<Parameters<typeof a.create>[0], Parameters<typeof b.create>[0]>();
  same<Parameters<typeof a.update>[1], Parameters<typeof b.update>[1]>();
}`;
};

let consumer: Consumer;

const writeImported = async (file: string, api: Parameters<typeof toOpenApi>[0]): Promise<void> => {
  const { imports, declarations } = await importOf(toOpenApi(api));
  await consumer.write(file, `${imports}\n${declarations}\n`);
};

/** The example beside its import: each must be assignable to the other. */
const writeExample = async (): Promise<void> => {
  await consumer.write('example.ts', await readDocument('examples/ordering.ts'));
  await writeImported('again.ts', ordering);
  await consumer.write(
    'example-both.ts',
    `import * as first from './example.ts';
import * as again from './again.ts';
export const there: typeof first.ordering = again.ordering;
export const back: typeof again.ordering = first.ordering;
export const order: typeof first.Order = again.Order;
`,
  );
};

/** Made-up declarations beside their imports, as one program, and the same with a type that is another one. */
const writeRandom = async (): Promise<void> => {
  const cases = fc.sample(anyFields, { numRuns: 200, seed: 31 });
  for (const [index, fields] of cases.entries()) {
    await writeImported(`random-${index}.ts`, declareApi(fields).api);
  }
  const names = cases.map((_, index) => `import { random as random${index} } from './random-${index}.ts';`);
  const program = [
    "import { type Client, collection, defineApi, expandable, resource } from 'restkin';",
    "import * as z from 'zod';",
    ...names,
    comparison,
    ...cases.map(block),
  ].join('\n');
  await consumer.write('random.ts', program);
  await consumer.write('wrong.ts', program.replace('z.string()', 'z.bigint()'));
};

beforeAll(async () => {
  consumer = await createConsumer();
  await writeExample();
  await writeRandom();
}, 60_000);
afterAll(() => consumer.remove());

describe('a declaration that was exported and imported again', () => {
  test.each(compilers)(
    'has the types of the first one, in the example and in 200 made-up ones, with %s',
    async (compiler) => {
      expect(await consumer.compile(compiler, ['example-both.ts', 'random.ts'])).toBe('');
    },
    120_000,
  );

  test('is seen not to, where a type is another one', async () => {
    expect(await consumer.compile('typescript-7', ['wrong.ts'])).toContain('error TS');
  }, 120_000);
});

test('a document that is odd all over becomes a program that compiles', async () => {
  const { imports, declarations } = await importOf(oddDocument);
  await consumer.write('odd.ts', `${imports}\n${declarations}\n`);
  const strict = ['--noUnusedLocals', '--noUnusedParameters', '--verbatimModuleSyntax'];
  for (const compiler of compilers) expect(await consumer.compile(compiler, ['odd.ts'], strict)).toBe('');
}, 120_000);
