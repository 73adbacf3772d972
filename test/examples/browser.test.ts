import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileExample, installExample } from './example-package.ts';
import { startExample } from './example-process.ts';

// In CI it is never skipped: there it fails.
const isMissing =
  !process.env.CI && spawnSync(process.env.CHROMIUM ?? 'chromium', ['--version']).status !== 0;
if (isMissing) {
  process.stderr.write(
    '\n*** chromium is not installed: the test of the browser page is SKIPPED.' +
      '\n*** apt-get install -y chromium\n\n',
  );
}

describe.skipIf(isMissing)('a page in Chromium', () => {
  beforeAll(() => installExample('browser'), 60_000);

  test('it compiles', async () => expect(await compileExample('browser')).toBe(''), 30_000);

  test('it logs in, is stopped, and continues where it stopped, with each record once', async () => {
    const { stdout, stderr, end } = await startExample(['examples/browser/drive.ts']).ended;
    expect({ stderr, end }).toEqual({ stderr: '', end: 0 });
    const [wrong, stopped = '', complete, once, requests] = stdout.trimEnd().split('\n');
    expect(wrong).toBe('Wrong username or password.');
    expect(complete).toBe('Complete: 2,400 of 2,400 orders');
    expect(once).toBe('every order once and in its place: true');

    const at = Number(/^Stopped at ([\d,]+) of 2,400 orders$/.exec(stopped)?.[1]?.replace(',', ''));
    expect(at).toBeGreaterThanOrEqual(1_000);
    expect(at).toBeLessThan(2_400);
    // What was read before the stop is not requested again, except for the page of the last order: it may have moved.
    expect(requests).toBe(`requests after the stop: ${Math.ceil((2_400 - at) / 50) + 1}`);
  }, 60_000);
});
