import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { CaseResult } from './case.ts';
import { longestRunMs, type Runtime, type Work } from './runtime.ts';

const execute = promisify(execFile);
const require = createRequire(import.meta.url);

/** A client needs the network alone. SQLite needs the database, and msw reads the environment. */
const denoFlags = (folder: string): readonly string[] => [
  ...['run', '--no-prompt', '--no-lock', '--no-remote', '--node-modules-dir=manual'],
  ...['--allow-net=127.0.0.1,127.0.0.9', '--allow-env', `--allow-read=${folder}`, `--allow-write=${folder}`],
];

/** A process that does not end by itself when its work is done is killed, and that is an error. */
const run = async (
  binary: string,
  flags: readonly string[],
  { bundles, folder, controlUrl }: Work,
): Promise<readonly CaseResult[]> => {
  const { PATH } = process.env;
  const { stdout } = await execute(binary, [...flags, bundles.process, controlUrl, folder], {
    cwd: folder,
    env: { PATH, HOME: folder, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    timeout: longestRunMs,
    killSignal: 'SIGKILL',
  });
  // What the entry wrote, in the same tree.
  return JSON.parse(stdout) as readonly CaseResult[];
};

// The binaries come from the packages for this machine: no install script has to run.
const runtimeOf = (
  name: string,
  packageName: string,
  file: string,
  flags: (folder: string) => readonly string[] = () => [],
): Runtime => ({
  name,
  run: (work) =>
    run(join(require.resolve(`${packageName}/package.json`), '..', file), flags(work.folder), work),
});

/** Node, Bun and Deno. */
export const processRuntimes: readonly Runtime[] = [
  runtimeOf('Node 22', 'node-22', 'bin/node'),
  runtimeOf('Node 24', 'node', 'bin/node'),
  runtimeOf('Node 26', 'node-26', 'bin/node'),
  runtimeOf('Bun', '@oven/bun-linux-x64', 'bin/bun'),
  runtimeOf('Deno', '@deno/linux-x64-glibc', 'deno', denoFlags),
];
