import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tests of the sources that start a process, wait, or take seconds: `fast` is for while one works. */
const withProcesses = [
  'test/conformance/complete.test.ts',
  'test/conventions/{02-3,04-2,04-3,04-4,05,07-1-statuses-400,readings}*.test.ts',
  'test/conventions/client/04-5-ends.test.ts',
  'test/mocks/{endpoints-random,generate-random,round-trip,token-endpoint}.test.ts',
  'test/src/adapters/{otel,redis,sqlite*,undici*}.test.ts',
  'test/src/auth/token/{claims,grants,sign-out*}.test.ts',
  'test/src/cli/import/round-trip.test.ts',
  'test/src/client/{canaries,fetch*,hostile-tokens,log,secrets,selections}.test.ts',
  'test/src/openapi/families.test.ts',
  'test/src/paging/loop-check.test.ts',
];

/** As long as before a release. */
const isFullRun = process.env.FULL_RUN === '1';

export default defineConfig({
  resolve: {
    alias: [
      { find: /^restkin$/, replacement: here('src/index.ts') },
      { find: /^restkin\/mocks$/, replacement: here('mocks/index.ts') },
      { find: /^restkin\/msw$/, replacement: here('mocks/msw.ts') },
      { find: /^restkin\/families$/, replacement: here('src/families/presets.ts') },
      { find: /^restkin\/doctor$/, replacement: here('src/doctor/doctor.ts') },
      { find: /^restkin\/openapi$/, replacement: here('src/openapi/openapi.ts') },
      {
        find: /^restkin\/(indexeddb|ky|otel|query|redis|sealed|sqlite|undici)$/,
        replacement: here('src/adapters/$1.ts'),
      },
    ],
  },
  test: {
    testTimeout: 20_000,
    // What comes in a moment takes longer on a machine that does other things too.
    expect: { poll: { timeout: 10_000 } },
    // Tests that wait do so together.
    maxConcurrency: 24,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/{faults,package,cli,runtimes,examples,browser,interop}/**',
            ...withProcesses,
            '**/node_modules/**',
          ],
          // Isolated, each file imports zod and the sources again, which is half of the time. Clients and
          // mocks share no state, so that files cannot disturb each other; the project `slow` is isolated.
          isolate: false,
          // Each worker imports them once, and nothing here waits for long.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Processes and sockets: three files at a time, one of which mostly waits.
        extends: true,
        test: {
          name: 'slow',
          include: ['test/{faults,cli}/**/*.test.ts', ...withProcesses],
          exclude: ['test/faults/undici/**', '**/node_modules/**'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The packed package, as users have it, and their compilers.
        extends: true,
        test: {
          name: 'package',
          include: ['test/{package,examples}/**/*.test.ts'],
          globalSetup: ['test/support/packed.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Aborts and the matrix of retries once more, over `restkin/undici`, and a comparison with the
        // built-in `fetch`. They measure times, so no other project runs beside them.
        extends: true,
        test: {
          name: 'undici-7',
          include: [`test/faults/undici/${isFullRun ? '*' : '{abort,comparison,ends-by-itself}'}.test.ts`],
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // The other major version that an application may have, the newer one: it runs whole.
        extends: true,
        resolve: { alias: [{ find: /^undici$/, replacement: 'undici-8' }] },
        test: {
          name: 'undici-8',
          include: ['test/faults/undici/**/*.test.ts', 'test/src/adapters/undici*.test.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Software of others: `npm run interop` installs it.
        extends: true,
        test: {
          name: 'interop',
          include: ['test/interop/**/*.test.ts'],
          maxWorkers: 1,
          testTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // One Chromium for all of them.
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/chromium.ts'],
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
