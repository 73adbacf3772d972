import { defineConfig } from 'tsup';

// One build of all entries, so that they share their chunks: a schema marked by
// `restkin` is recognised by `restkin/mocks`.
export default defineConfig({
  entry: { index: 'src/index.ts', mocks: 'mocks/index.ts' },
  format: ['esm'],
  platform: 'neutral',
  target: 'es2023',
  external: [/^node:/],
  dts: true,
  splitting: true,
  treeshake: true,
  clean: true,
});
