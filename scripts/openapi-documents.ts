// Imports the OpenAPI documents that npm packages ship, and compiles what is written with the newest
// compiler, and before a release with each that is supported.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Consumer, compilersOfRun } from '../test/support/consumer.ts';

const packages = fileURLToPath(new URL('../test/openapi/node_modules/', import.meta.url));

/** Written by other tools for other conventions: 3.0 and 3.1, JSON and YAML, from 9 operations to 1,200. */
const documents = {
  'directus.ts': '@directus/specs/dist/openapi.json',
  'galaxy.ts': '@scalar/galaxy/dist/3.1.yaml',
  'blockfrost.ts': '@blockfrost/openapi/openapi.yaml',
  'github.ts': '@octokit/openapi/generated/api.github.com.json',
} as const;

/** Longer than the longest import takes on a slow machine; what hangs ends there. */
const timeout = 120_000;

/** Why operations of a program are functions: a comment of each says it. */
const reasonsIn = (program: string): readonly string[] => {
  const functions = program.matchAll(
    /Not part of a collection: (.+)\.\n(?: \* .*\n)* \*\/\nexport const \w+ = \(/g,
  );
  return [...new Set(Array.from(functions, ([, reason = '']) => reason))];
};

/** Imports each document into the folder `real` of a user. Throws if an import fails or writes elsewhere. */
export const checkDocuments = async (consumer: Consumer): Promise<void> => {
  const folder = join(consumer.folder, 'real');
  await consumer.write('real/package.json', '{ "type": "module" }');
  const command = join(consumer.folder, 'node_modules/restkin/dist/cli.js');
  for (const [file, document] of Object.entries(documents)) {
    const before = await readdir(consumer.folder, { recursive: true });
    const args = [command, 'import', join(packages, document), '--out', file];
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout });
    const after = await readdir(consumer.folder, { recursive: true });
    const written = after.filter((name) => !before.includes(name));
    if (written.join() !== join('real', file))
      throw new Error(`${document}: the import wrote ${written.join(', ')}`);
    const program = await readFile(join(folder, file), 'utf8');
    const lines = program.split('\n').length;
    const reasons = reasonsIn(program);
    if (file === 'github.ts' && reasons.join() !== 'no endpoint can have its path')
      throw new Error(
        `${document}: an operation that could be an endpoint is a function: ${reasons.join(', ')}`,
      );
    const [summary = '', family = '', , ...unfit] = stderr.split('\n');
    if (unfit.length === 0) throw new Error(`${document}: the import does not say what does not fit`);
    console.log(`${summary}; ${family}; ${lines} lines`);
  }
  for (const compiler of compilersOfRun) {
    const errors = await consumer.compile(
      compiler,
      Object.keys(documents).map((file) => `real/${file}`),
      ['--noUnusedLocals', '--noUnusedParameters', '--verbatimModuleSyntax'],
    );
    if (errors !== '') throw new Error(`${compiler}: ${errors.slice(0, 2_000)}`);
    console.log(`${Object.keys(documents).length} imported documents compile with ${compiler}.`);
  }
};
