import process from 'node:process';
import { chromium } from 'playwright-core';
import { args } from '../browser/chromium.ts';
import type { CaseResult } from './case.ts';
import { inTime } from './expect.ts';
import { longestRunMs, type Runtime } from './runtime.ts';

/** The runtime of Cloudflare's workers. */
export const workerd: Runtime = {
  name: 'workerd',
  run: async ({ bundles, controlUrl }) => {
    const { Miniflare } = await import('miniflare');
    const options = { modules: true, compatibilityDate: '2026-07-01' } as const;
    const worker = new Miniflare({ ...options, script: bundles.worker });
    try {
      const url = `http://worker.test/?${new URLSearchParams({ control: controlUrl })}`;
      const response = await inTime(worker.dispatchFetch(url), longestRunMs);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`The worker answered ${response.status}: ${text}`);
      // What the entry wrote, in the same tree.
      return JSON.parse(text) as readonly CaseResult[];
    } finally {
      await worker.dispose();
    }
  },
};

/** The browser as Debian packages it. */
export const browser: Runtime = {
  name: 'Chromium',
  run: async ({ controlUrl }) => {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    // It makes a new profile, and removes it.
    const opened = await chromium.launch({ executablePath, args: [...args] });
    try {
      const page = await opened.newPage();
      await page.goto(controlUrl);
      // What the entry gave, in the same tree.
      return (await inTime(page.evaluate('performCases()'), longestRunMs)) as readonly CaseResult[];
    } finally {
      await opened.close();
    }
  },
};
