import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The version and a file of an installed package; undefined when it is not installed. */
export const findPackage = (
  name: string,
  file = '',
): { readonly version: string; readonly path: string } | undefined => {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const { version } = require(manifest) as { readonly version: string };
    return { version, path: join(dirname(manifest), file) };
  } catch {
    return undefined;
  }
};
