import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^restkin$/, replacement: here('src/index.ts') },
      { find: /^restkin\/mocks$/, replacement: here('mocks/index.ts') },
      { find: /^restkin\/(redis|sqlite)$/, replacement: here('src/adapters/$1.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/runtimes/**', 'node_modules/**'],
  },
});
