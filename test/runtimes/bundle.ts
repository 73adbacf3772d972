import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** What the runtimes are given. Each file holds the cases; what differs is how they are begun. */
export interface Bundles {
  /** A file that imports `restkin` and zod as installed packages. */
  readonly process: string;
  /** The control server, likewise: the mock is that of the packed package. */
  readonly control: string;
  /** The text of a module with everything in it. */
  readonly worker: string;
  readonly page: string;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Bundles the cases once.
 *
 * @param folder - where the packed package is installed
 */
export const bundle = async (folder: string): Promise<Bundles> => {
  const common = {
    bundle: true,
    format: 'esm',
    target: 'es2023',
    logLevel: 'error',
    // Without this the paths of the project's own tsconfig lead to src/ in place of the packed package.
    tsconfigRaw: '{}',
    nodePaths: [join(folder, 'node_modules')],
  } as const satisfies BuildOptions;

  const toFile = async (name: string, entry: string): Promise<string> => {
    const outfile = join(folder, name);
    const entryPoints = [join(here, entry)];
    await build({ ...common, entryPoints, outfile, platform: 'neutral', packages: 'external' });
    return outfile;
  };
  const toText = async (entry: string, conditions: string[]): Promise<string> => {
    const entryPoints = [join(here, entry)];
    const { outputFiles } = await build({
      ...common,
      ...{ entryPoints, conditions, platform: 'browser', write: false },
    });
    return outputFiles[0]?.text ?? '';
  };
  return {
    process: await toFile('process.js', 'entries/process.ts'),
    control: await toFile('control.js', 'control.ts'),
    worker: await toText('entries/worker.ts', ['workerd', 'worker']),
    page: await toText('entries/page.ts', []),
  };
};
