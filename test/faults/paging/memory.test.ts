import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startListServer } from '../../support/list-server.ts';
import { isFullRun } from '../../support/runs.ts';

const run = promisify(execFile);
const worker = fileURLToPath(new URL('memory-worker.ts', import.meta.url));
test.each([
  [isFullRun ? 1_000_000 : 300_000, 'with totals', true],
  [200_000, 'without totals', false],
  [100_000, 'traced', true],
] as const)(
  'memory does not grow with a list of %i records, %s',
  async (count, name, totals) => {
    const server = await startListServer({ count, perPage: 500, totals });
    onTestFinished(() => server.close());
    const { stdout } = await run(process.execPath, ['--expose-gc', worker, server.url, String(count), name]);
    const { read, grownBytes } = JSON.parse(stdout);
    expect(read).toBe(count);
    expect(grownBytes).toBeLessThan(5 * 1024 * 1024);
  },
  120_000,
);
