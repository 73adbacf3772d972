import type { CaseResult } from '../case.ts';
import { inTime } from '../expect.ts';
import { findPackage } from './packages.ts';
import { longestRunMs, type Runtime, type Work } from './runtime.ts';

const run = async ({ bundles, controlUrl }: Work): Promise<readonly CaseResult[]> => {
  const { Miniflare } = await import('miniflare');
  const worker = new Miniflare({
    modules: true,
    script: bundles.worker,
    compatibilityDate: '2026-07-01',
  });
  try {
    const url = new URL('http://worker.test/');
    url.searchParams.set('control', controlUrl);
    const response = await inTime(worker.dispatchFetch(url.href), longestRunMs);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The worker answered ${response.status}: ${text}`);
    // What the entry wrote, in the same tree.
    return JSON.parse(text) as readonly CaseResult[];
  } finally {
    await worker.dispose();
  }
};

/** The runtime of Cloudflare's workers. */
export const workerd: Runtime = {
  name: 'workerd',
  find: async () => {
    const found = findPackage('miniflare') && findPackage('workerd');
    return found && { version: found.version, run };
  },
};
