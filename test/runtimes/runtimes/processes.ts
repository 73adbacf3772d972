import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { CaseResult } from '../case.ts';
import { findPackage } from './packages.ts';
import { longestRunMs, type Runtime, type Work } from './runtime.ts';

const execute = promisify(execFile);

interface Command {
  readonly name: string;
  /** The package that holds the binary, and its path in it. */
  readonly package: string;
  readonly file: string;
  readonly flags?: (work: Work) => readonly string[];
}

/** The binaries come from the packages for this machine: no install script has to run. */
const commands: readonly Command[] = [
  { name: 'Node 22', package: 'node-22', file: 'bin/node' },
  { name: 'Node 24', package: 'node', file: 'bin/node' },
  { name: 'Node 26', package: 'node-26', file: 'bin/node' },
  { name: 'Bun', package: `@oven/bun-linux-x64`, file: 'bin/bun' },
  {
    name: 'Deno',
    package: '@deno/linux-x64-glibc',
    file: 'deno',
    // A client needs the network alone. The database is of the case with SQLite, and msw reads the environment.
    flags: ({ folder }) => [
      ...['run', '--no-prompt', '--no-lock', '--no-remote', '--node-modules-dir=manual'],
      ...[
        '--allow-net=127.0.0.1,127.0.0.9',
        `--allow-read=${folder}`,
        `--allow-write=${folder}`,
        '--allow-env',
      ],
    ],
  },
];

/** The version that a binary tells of itself; undefined when it does not start. */
const versionOf = async (binary: string): Promise<string | undefined> => {
  try {
    const { stdout } = await execute(binary, ['--version'], { timeout: 10_000 });
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
};

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

const toRuntime = ({ name, package: packageName, file, flags = () => [] }: Command): Runtime => ({
  name,
  find: async () => {
    const binary = findPackage(packageName, file)?.path;
    const version = binary === undefined ? undefined : await versionOf(binary);
    if (binary === undefined || version === undefined) return undefined;
    return { version, run: (work) => run(binary, flags(work), work) };
  },
});

/** Node, Bun and Deno. */
export const processRuntimes: readonly Runtime[] = commands.map(toRuntime);
