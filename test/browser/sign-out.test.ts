import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTokenServer } from '../faults/token-server.ts';
import { isMissing, openTab, pageFiles, setLifecycle, withBrowser } from './tabs.ts';

const leaseMs = 2_000;

/** Opens a tab that takes part in the login; with a password it logs in. */
const join = async (page: Page, tab: string, password?: string): Promise<string | undefined> =>
  page.evaluate(
    (part) => {
      Object.assign(globalThis, { openPart: restkin.openClient(part) });
      return openPart.call();
    },
    password === undefined ? { tab, leaseMs } : { tab, leaseMs, password },
  );

describe.skipIf(isMissing)('a login in several tabs, in Chromium', () => {
  const browser = withBrowser();

  test('ends in all of them, and the next login is that of all of them', async () => {
    await using server = await startTokenServer({ files: await pageFiles() });
    const context = await browser.context();
    const tabs = await Promise.all([1, 2, 3].map(() => openTab(context, server.url)));
    const [first, second, frozen] = tabs as [Page, Page, Page];
    expect(await join(first, 'first', 'lovelace')).toBeUndefined();
    expect(await join(second, 'second')).toBeUndefined();
    expect(await join(frozen, 'frozen')).toBeUndefined();
    expect(server.tokenRequests).toEqual(['password']);
    const session = await context.newCDPSession(frozen);
    await setLifecycle(session, 'frozen');

    await first.evaluate(() => openPart.auth.signOut());
    await setLifecycle(session, 'active');
    for (const page of tabs) {
      expect(await page.evaluate(() => openPart.call())).toBe('ReauthenticationRequiredError');
    }
    const ended = { reason: 'reauthenticationRequired' };
    expect(await first.evaluate(() => openPart.events)).toMatchObject([{ reason: 'first' }, ended]);
    for (const page of [second, frozen])
      expect(await page.evaluate(() => openPart.events)).toMatchObject([ended]);
    const held = await first.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('restkin');
          opening.onsuccess = () => {
            const rows = opening.result.transaction('chains').objectStore('chains').getAll();
            rows.onsuccess = () => resolve(JSON.stringify(rows.result));
          };
        }),
    );
    const secrets = new Set(
      server.credentials.filter((value) => value !== '').map((value) => value.slice(7)),
    );
    expect(secrets.size).toBe(1);
    expect([...secrets].filter((secret) => held.includes(secret))).toEqual([]);

    expect(await join(first, 'first', 'lovelace')).toBeUndefined();
    for (const page of tabs) expect(await page.evaluate(() => openPart.call())).toBeUndefined();
    expect(server.tokenRequests).toEqual(['password', 'password']);
    await context.close();
  });
});
