import { defineConfig } from 'tsup';
import { bundledLicenses } from './scripts/bundled-licenses.ts';

// One build of all entries, so that they share their chunks: a schema marked by
// `restkin` is recognised by `restkin/mocks`.
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    mocks: 'mocks/index.ts',
    sqlite: 'src/adapters/sqlite.ts',
    redis: 'src/adapters/redis.ts',
    ky: 'src/adapters/ky.ts',
    undici: 'src/adapters/undici.ts',
    cli: 'src/cli/main.ts',
  },
  format: ['esm'],
  platform: 'neutral',
  // tsup takes the prefix off; `sqlite` exists with it only.
  removeNodeProtocol: false,
  target: 'es2023',
  external: [/^node:/],
  // The command brings its libraries along, so that nobody installs them.
  noExternal: [/^(@commander-js\/extra-typings|commander|csv-stringify|fastest-levenshtein|string-width)/],
  esbuildPlugins: [bundledLicenses('dist/cli.licenses.txt')],
  dts: true,
  splitting: true,
  treeshake: true,
  clean: true,
});
