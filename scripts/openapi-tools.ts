// Checks exported documents with the tools that others use: Redocly's linter, TypeScript made by
// openapi-typescript, and Prism; and imports the documents of others.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { toOpenApi } from 'restkin/openapi';
import { ordering as example } from '../examples/ordering.ts';
import { basicOrdering } from '../test/support/basic-ordering.ts';
import { createConsumer } from '../test/support/consumer.ts';
import { office } from '../test/support/endpoints.ts';
import { ordering } from '../test/support/ordering.ts';
import { anyFields, declareApi } from '../test/support/random-model.ts';
import { checkDocuments } from './openapi-documents.ts';
import { checkPrism } from './openapi-prism.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const tools = fileURLToPath(new URL('../test/openapi/node_modules/.bin/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'restkin-openapi-'));
const random = fc
  .sample(anyFields, { numRuns: process.env.FULL_RUN === '1' ? 200 : 50, seed: 1 })
  .map((fields) => toOpenApi(declareApi(fields).api));
const documents = [
  toOpenApi(example),
  toOpenApi(ordering),
  toOpenApi(basicOrdering),
  toOpenApi(office),
  ...random,
];

const run = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
};

try {
  const files = documents.map((document, index) => {
    const file = `document-${index}.json`;
    writeFileSync(join(folder, file), JSON.stringify(document));
    return file;
  });
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\nrules: { info-license: off }\n');
  run(join(tools, 'redocly'), ['lint', '--format=summary', ...files]);
  for (const file of files.slice(0, 8))
    run(join(tools, 'openapi-typescript'), [file, '--output', `${file}.ts`]);
  const sources = files.slice(0, 8).map((file) => `${file}.ts`);
  const typescript = join(root, 'node_modules/typescript-7/bin/tsc');
  run(process.execPath, [
    typescript,
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    ...sources,
  ]);
  console.log(`${documents.length} documents have no errors.`);
  // The second one is that of the API of most tests.
  await checkPrism(join(folder, 'document-1.json'));
  const consumer = await createConsumer();
  try {
    await checkDocuments(consumer);
  } finally {
    await consumer.remove();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
