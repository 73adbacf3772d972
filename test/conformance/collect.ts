import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rules } from '../../src/doctor/rules.ts';
import { type ConventionTest, readTest } from './tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** Variables of the run around this one would tell vitest that it is a worker of it. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));

/** Runs vitest in a process of its own, and reads the file that it writes. */
const runVitest = async (toArguments: (file: string) => readonly string[]): Promise<unknown> => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const file = join(folder, 'tests.json');
  try {
    const failure = await new Promise<string>((resolve) => {
      const command = [vitest, ...toArguments(file)];
      execFile(process.execPath, command, { cwd: root, env: environment() }, (error, stdout, stderr) =>
        resolve(error === null ? '' : stdout + stderr),
      );
    });
    return JSON.parse(await readFile(file, 'utf8').catch(() => Promise.reject(new Error(failure))));
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The tests of the conventions that a run would have, without running them. Skipped ones are none. */
export const listTests = async (): Promise<readonly ConventionTest[]> => {
  // Titles are made while a file is read, which a parser does not do.
  const listed = (await runVitest((file) => [
    'list',
    'test/conventions',
    '--project=fast',
    '--no-static-parse',
    '--no-isolate',
    '--maxWorkers=1',
    `--json=${file}`,
  ])) as readonly { readonly name: string }[]; // the format of `vitest list --json`
  return listed.map(({ name }) => readTest(name, rules));
};
