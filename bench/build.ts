import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export const here = fileURLToPath(new URL('.', import.meta.url));
/** Ignored by git, and below the packages that are measured. */
export const built = join(here, 'dist');

/** The file of an entry point in a build of the package. */
export const entryOf = (dist: string, specifier: string): string =>
  join(resolve(dist), `${specifier === 'restkin' ? 'index' : specifier.slice('restkin/'.length)}.js`);

/** The entries of a build of restkin, which `bench/`, a package of its own, cannot import by name. */
export const restkinFrom = (dist: string, external: boolean): Plugin => ({
  name: 'restkin',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^restkin(?:\/|$)/ }, ({ path }) => {
      const file = entryOf(dist, path);
      return external ? { path: pathToFileURL(file).href, external } : { path: file };
    });
  },
});

/**
 * Translates the measured processes once, so that none of them spends time on types.
 *
 * @param dist - the build of restkin that is measured
 */
export const buildProcesses = async (dist: string): Promise<void> => {
  const peers = (await readdir(join(here, 'peers'))).map((name) => join(here, 'peers', name));
  const processes = ['server', 'worker', 'mock-server', 'load'].map((name) => join(here, `${name}.ts`));
  await build({
    entryPoints: [...processes, ...peers],
    outdir: built,
    outbase: here,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    packages: 'external',
    logLevel: 'error',
    plugins: [restkinFrom(dist, true)],
  });
};
