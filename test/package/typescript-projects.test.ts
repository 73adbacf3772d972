import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Compiler, type Consumer, compilersOfRun, createConsumer } from '../support/consumer.ts';
import { blocksOf, readDocument } from './docs-blocks.ts';

// Projects with a tsconfig of their own, as docs/installing.md describes them.

const run = promisify(execFile);
const installing = await readDocument('docs/installing.md');
const readme = blocksOf(await readDocument('README.md'));

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 60_000);
afterAll(() => consumer.remove());

/** Compiles a folder with the tsconfig in it, and gives what the compiler prints. */
const build = async (compiler: Compiler, folder: string, args: readonly string[] = []): Promise<string> => {
  const tsc = fileURLToPath(new URL(`../../node_modules/${compiler}/bin/tsc`, import.meta.url));
  const cwd = join(consumer.folder, folder);
  return run(process.execPath, [tsc, ...args], { cwd }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
};

const writeProject = async (folder: string, config: object, files: Readonly<Record<string, string>>) => {
  await consumer.write(`${folder}/tsconfig.json`, JSON.stringify(config));
  for (const [name, code] of Object.entries(files)) await consumer.write(`${folder}/${name}`, code);
};

const ordering = readme.find(({ file }) => file === 'ordering.ts')?.code ?? '';
// What the compiler brings along is not ours to check.
const plain = { module: 'nodenext', target: 'es2023', strict: true, skipDefaultLibCheck: true };
// The declarations of the libraries are checked by the first two tests, with and without those of Node.
const quick = { ...plain, types: ['node'], skipLibCheck: true };

describe.each(compilersOfRun)('with %s', (compiler) => {
  test('every entry compiles without @types/node and without esnext.disposable', async () => {
    const names = 'families mocks msw sealed sqlite redis indexeddb ky query openapi doctor'.split(' ');
    const entries = ['restkin', ...names.map((name) => `restkin/${name}`)];
    const code = entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join('');
    const config = { compilerOptions: { ...plain, lib: ['es2023', 'dom'], types: [], noEmit: true } };
    await writeProject(`entries-${compiler}`, config, { 'all.ts': code });
    expect(await build(compiler, `entries-${compiler}`)).toBe('');
  }, 60_000);

  test('isolatedDeclarations works beside a project with the declarations of APIs', async () => {
    const composite = { ...quick, composite: true, rewriteRelativeImportExtensions: true };
    const apis = `isolated-${compiler}/apis`;
    await writeProject(apis, { compilerOptions: composite }, { 'ordering.ts': ordering });
    const client = blocksOf(installing).find(({ code }) => code.includes('findStatus'))?.code ?? '';
    const config = {
      compilerOptions: { ...composite, isolatedDeclarations: true },
      references: [{ path: '../apis' }],
    };
    const application = `isolated-${compiler}/app`;
    const code = client.replace('./ordering.ts', '../apis/ordering.ts');
    await writeProject(application, config, { 'client.ts': code });
    expect(await build(compiler, application, ['--build'])).toBe('');
  }, 60_000);
});
