import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CaseResult } from '../case.ts';
import { inTime } from '../expect.ts';
import { findPackage } from './packages.ts';
import { longestRunMs, type Runtime, type Work } from './runtime.ts';

const execute = promisify(execFile);

// Nothing of the browser's own leaves this machine.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const run = async (executablePath: string, { controlUrl }: Work): Promise<readonly CaseResult[]> => {
  const { chromium } = await import('playwright-core');
  // It makes a new profile, and removes it.
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(controlUrl);
    // What the entry gave, in the same tree.
    return (await inTime(page.evaluate('performCases()'), longestRunMs)) as readonly CaseResult[];
  } finally {
    await browser.close();
  }
};

/**
 * The browser as Debian packages it.
 *
 * @param path - of its executable
 */
export const chromiumAt = (path: string): Runtime => ({
  name: 'Chromium',
  find: async () => {
    if (findPackage('playwright-core') === undefined) return undefined;
    try {
      const { stdout } = await execute(path, ['--version'], { timeout: 10_000 });
      // The rest of it changes with every security fix of Debian.
      const version = /(\d+)\.\d+\.\d+/.exec(stdout)?.[1];
      return version === undefined ? undefined : { version, run: (work) => run(path, work) };
    } catch {
      return undefined;
    }
  },
});
