import { toOpenApi } from 'restkin/openapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ordering } from '../../examples/ordering.ts';
import { type Consumer, compilersOfRun, createConsumer } from '../support/consumer.ts';
import { importOf } from '../support/import-document.ts';
import { oddDocument } from '../support/odd-document.ts';
import * as ownPlaces from '../support/own-place-documents.ts';
import { readDocument } from './docs-blocks.ts';

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 60_000);
afterAll(() => consumer.remove());

const writeImport = async (file: string, document: unknown): Promise<void> => {
  const { imports, declarations } = await importOf(document);
  await consumer.write(file, `${imports}\n${declarations}\n`);
};

test('a declaration that was exported and imported again has the types of the first one, and odd documents compile', async () => {
  await consumer.write('example.ts', await readDocument('examples/ordering.ts'));
  await writeImport('again.ts', toOpenApi(ordering));
  await consumer.write(
    'example-both.ts',
    `import * as first from './example.ts';
import * as again from './again.ts';
export const there: typeof first.ordering = again.ordering;
export const back: typeof again.ordering = first.ordering;
export const order: typeof first.Order = again.Order;
`,
  );
  await writeImport('odd.ts', oddDocument);
  const others = Object.entries(ownPlaces).map(([name, document]) => [`${name}.ts`, document] as const);
  for (const [file, document] of others) await writeImport(file, document);
  const files = ['example-both.ts', 'odd.ts', ...others.map(([file]) => file)];
  const strict = ['--noUnusedLocals', '--noUnusedParameters', '--verbatimModuleSyntax'];
  for (const compiler of compilersOfRun) expect(await consumer.compile(compiler, files, strict)).toBe('');
}, 120_000);
