import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { defineConfig } from 'tsup';
import { bundledLicenses } from './scripts/bundled-licenses.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * One build of all entries: what two of them share stands in a file that both import, so that `instanceof`
 * holds across them.
 */
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    mocks: 'mocks/index.ts',
    msw: 'mocks/msw.ts',
    families: 'src/families/presets.ts',
    sealed: 'src/adapters/sealed.ts',
    sqlite: 'src/adapters/sqlite.ts',
    redis: 'src/adapters/redis.ts',
    indexeddb: 'src/adapters/indexeddb.ts',
    ky: 'src/adapters/ky.ts',
    otel: 'src/adapters/otel.ts',
    undici: 'src/adapters/undici.ts',
    query: 'src/adapters/query.ts',
    openapi: 'src/openapi/openapi.ts',
    doctor: 'src/doctor/doctor.ts',
    cli: 'src/cli/main.ts',
  },
  clean: true,
  define: { RESTKIN_VERSION: JSON.stringify(version) },
  dts: true,
  format: 'esm',
  platform: 'neutral',
  // tsup takes the prefix off; `sqlite` exists with it only.
  removeNodeProtocol: false,
  target: 'es2023',
  external: [/^node:/],
  // The command brings its libraries along, so that nobody installs them.
  noExternal: [/^(@commander-js\/extra-typings|@scalar\/|commander|js-yaml)/],
  esbuildPlugins: [bundledLicenses('dist/cli.licenses.txt')],
  plugins: [
    {
      // Nobody imports the command, or reads the libraries that it brings along.
      name: 'minify-the-command',
      renderChunk: async (code) =>
        /^\/\/ (?:node_modules|src\/cli)\//m.test(code)
          ? await transform(code, { minify: true, target: 'es2023' })
          : undefined,
    },
  ],
  splitting: true,
  treeshake: true,
});
