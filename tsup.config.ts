import { defineConfig } from 'tsup';

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
  dts: true,
  splitting: true,
  treeshake: true,
  clean: true,
});
