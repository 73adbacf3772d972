import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packOnce, tarball } from '../../scripts/package.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));

/** The compilers that a user may have: TypeScript 5.9, 6.0 and 7.0. */
export const compilers = ['typescript-5', 'typescript', 'typescript-7'] as const;
export type Compiler = (typeof compilers)[number];

/** For what must not compile: the oldest and the newest one at each commit, and all before a release. */
export const outerCompilers: readonly Compiler[] =
  process.env.FULL_RUN === '1' ? compilers : ['typescript-5', 'typescript-7'];

/** For other programs: the newest one at each commit, and all before a release. */
export const compilersOfRun: readonly Compiler[] =
  process.env.FULL_RUN === '1' ? compilers : ['typescript-7'];

/** An empty folder with the packed package installed, as a user has it. */
export interface Consumer {
  readonly folder: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  write(name: string, text: string): Promise<void>;
  /** Runs a file on this Node. */
  node(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  /**
   * Runs a compiler of the project over files of the folder, strictly, and gives what it prints: nothing,
   * when all is well. The declarations of the libraries are checked where `options` say so: that takes longer
   * than most programs.
   */
  compile(compiler: Compiler, files: readonly string[], options?: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

// What `npm install restkin zod msw` would put beside the package; the project has them installed already.
const dependencies = [
  ...['zod', 'ky', 'ofetch', 'openapi-fetch', 'p-retry', 'jose', 'msw', 'undici', '@types', 'undici-types'],
  ...[
    '@opentelemetry',
    'pino',
    '@tanstack',
    'react',
    'vue',
    'hono',
    'express',
    '@nestjs',
    'reflect-metadata',
    'rxjs',
  ],
];

const strict = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--skipLibCheck', 'true', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'],
  '--allowImportingTsExtensions',
];

/** Installs the packed package into a new folder. */
export const createConsumer = async (): Promise<Consumer> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-consumer-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'restkin');
  await mkdir(installed, { recursive: true });

  packOnce();
  const { stdout } = await run('tar', ['-tzf', tarball]);
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of dependencies) await symlink(join(project, 'node_modules', name), join(modules, name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');

  return {
    folder,
    files: stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
    write: async (name, text) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    },
    node: (args) => {
      // The libraries are compiled for the first of many processes, and not for each of them.
      const env = { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: join(modules, '.compiled') };
      return run(process.execPath, [...args], { cwd: folder, timeout: 30_000, env });
    },
    compile: async (compiler, files, options = []) => {
      const tsc = join(project, 'node_modules', compiler, 'bin', 'tsc');
      const output = run(process.execPath, [tsc, ...strict, ...options, ...files], { cwd: folder });
      return output.then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
