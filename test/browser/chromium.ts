// Starts the browser that all tests of this folder share, as Debian packages it.
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser is reached; undefined where none is installed. */
    readonly chromium: string | undefined;
  }
}

/** Nothing of the browser's own leaves this machine. */
export const args: readonly string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** @returns what ends the browser */
export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const executable = process.env.CHROMIUM ?? 'chromium';
  const found = spawnSync('which', [executable], { encoding: 'utf8' }).stdout.trim();
  // In CI it is never skipped: there it fails.
  if (found === '' && !process.env.CI) {
    process.stderr.write(
      '\n*** chromium is not installed: its tests are SKIPPED.\n*** apt-get install -y chromium\n\n',
    );
    provide('chromium', undefined);
    return undefined;
  }
  const server = await chromium.launchServer({
    executablePath: found || executable,
    args: [...args],
    // A page that a person leaves goes there.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  provide('chromium', server.wsEndpoint());
  return () => server.close();
};
