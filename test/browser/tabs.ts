import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Reply } from '../support/recording-server.ts';

declare global {
  /** In a page: what `page.ts` exports. */
  var restkin: typeof import('./page.ts');
  /** In a page: what a test keeps between two steps. */
  var complain: (complaint: string) => void;
  var openPart: ReturnType<typeof restkin.openClient>;
  var store: ReturnType<typeof restkin.indexedDbStore>;
  var told: unknown[];
  var swaps: boolean[];
}

const endpoint = inject('chromium');

/** True where no browser is installed. */
export const isMissing = endpoint === undefined;

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'restkin',
    platform: 'browser',
    target: 'es2023',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};

const html = '<!doctype html><meta charset="utf-8"><title>Tab</title><script src="/page.js"></script>';

const away = '<!doctype html><title>Away</title><script>setTimeout(() => history.back(), 200)</script>';

/** The files of a page that holds nothing but restkin, and of one that goes back by itself. */
export const pageFiles = async (): Promise<Readonly<Record<string, Reply>>> => ({
  '/': { headers: { 'content-type': 'text/html' }, body: html },
  '/away': { headers: { 'content-type': 'text/html' }, body: away },
  '/page.js': { headers: { 'content-type': 'text/javascript' }, body: await bundle() },
});

/** A new profile for each test file; `context()` is its browser. */
export const withBrowser = (): { readonly context: () => Promise<BrowserContext> } => {
  let browser: Awaited<ReturnType<typeof chromium.connect>>;
  beforeAll(async () => {
    if (endpoint !== undefined) browser = await chromium.connect(endpoint);
  });
  afterAll(() => browser?.close());
  return { context: () => browser.newContext() };
};

/** Freezes a tab as the browser does with one in the background, or lets it run again. */
export const setLifecycle = async (session: CDPSession, state: 'frozen' | 'active'): Promise<void> => {
  await session.send('Page.setWebLifecycleState', { state });
};

/** Opens a tab of a site, without anything of its own. */
export const openTab = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(url);
  return page;
};
