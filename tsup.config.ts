import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { bundledLicenses } from './scripts/bundled-licenses.ts';

/** The entries of an application, each of them one file: a cold start pays for each file that it reads. */
const client = {
  index: 'src/index.ts',
  sealed: 'src/adapters/sealed.ts',
  sqlite: 'src/adapters/sqlite.ts',
  redis: 'src/adapters/redis.ts',
  indexeddb: 'src/adapters/indexeddb.ts',
  files: 'src/adapters/files.ts',
  ky: 'src/adapters/ky.ts',
  undici: 'src/adapters/undici.ts',
  query: 'src/adapters/query.ts',
};

/** The entries that share the mock. */
const mock = { mocks: 'mocks/index.ts', msw: 'mocks/msw.ts', cli: 'src/cli/main.ts' };

/** Larger entries, built apart: they import the client as a user does, and an application does not load them. */
const openapi = { openapi: 'src/openapi/openapi.ts' };
const doctor = { doctor: 'src/doctor/doctor.ts' };

const shared = {
  format: ['esm'],
  platform: 'neutral',
  // tsup takes the prefix off; `sqlite` exists with it only.
  removeNodeProtocol: false,
  target: 'es2023',
  external: [/^node:/],
  splitting: true,
  treeshake: true,
} satisfies Options;

/** The command and the larger entries import the entries of the package as a user does, and have no copy of them. */
const importsEntries = {
  name: 'imports-entries',
  setup: ({ onResolve }) => {
    onResolve(
      { filter: /\.\.\/(?:index|adapters\/(?:sqlite|files)|openapi\/openapi|doctor\/doctor)\.ts$/ },
      ({ path, importer }) =>
        /[\\/]src[\\/](?:cli|doctor|openapi)[\\/]/.test(importer)
          ? { path: `./${basename(path, '.ts')}.js`, external: true }
          : undefined,
    );
  },
} satisfies NonNullable<Options['esbuildPlugins']>[number];

/** The doctor throws the errors of the main entry, so that `instanceof` is true for them. */
const importsErrors = {
  name: 'imports-errors',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/errors\/(?:connection|restkin)-error\.ts$/ }, () => ({
      path: './index.js',
      external: true,
    }));
  },
} satisfies NonNullable<Options['esbuildPlugins']>[number];

export default defineConfig(({ dts }) => {
  // Not the option `clean`: these builds run side by side, and one would remove the files of another.
  rmSync('dist', { recursive: true, force: true });
  return [
    { ...shared, entry: client },
    {
      ...shared,
      entry: mock,
      // The command brings its libraries along, so that nobody installs them.
      noExternal: [
        /^(@commander-js\/extra-typings|commander|csv-stringify|fastest-levenshtein|string-width|yaml)/,
      ],
      esbuildPlugins: [importsEntries, bundledLicenses('dist/cli.licenses.txt')],
    },
    { ...shared, entry: openapi, esbuildPlugins: [importsEntries] },
    { ...shared, entry: doctor, esbuildPlugins: [importsEntries, importsErrors] },
    // In one go, so that all entries name the same types.
    ...(dts === false
      ? []
      : [{ ...shared, entry: { ...client, ...mock, ...openapi, ...doctor }, dts: { only: true } }]),
  ];
});
