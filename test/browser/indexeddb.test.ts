import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RecordingServer, record } from '../support/recording-server.ts';
import { isMissing, openTab, pageFiles, setLifecycle, withBrowser } from './tabs.ts';

describe.skipIf(isMissing)('the token store in IndexedDB, in Chromium', () => {
  const browser = withBrowser();
  let site: RecordingServer;
  let context: BrowserContext;
  beforeAll(async () => {
    const files = await pageFiles();
    site = await record(({ url }) => files[url] ?? { status: 404 });
  });
  afterAll(() => site?.close());
  const reports = (): readonly unknown[] =>
    site.requests.filter(({ url }) => url === '/report').map(({ body }) => JSON.parse(body));
  beforeEach(async () => {
    context = await browser.context();
    return () => context.close();
  });

  /** Clears the storage of a page. Until the browser has closed the database, a call may fail. */
  const clearStorage = async (page: Page): Promise<void> => {
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'indexeddb' });
    await vi.waitFor(() => page.evaluate(() => store.read('chain')), 10_000);
  };

  test('is a token store', async () => {
    const page = await openTab(context, site.url);
    expect(
      await page.evaluate(() => restkin.checkTokenStore(() => restkin.indexedDbStore())),
    ).toBeUndefined();
  });

  test('of swaps in several tabs exactly one succeeds', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => openTab(context, site.url)));
    const counts = await Promise.all(
      pages.map((page, tab) =>
        page.evaluate(async (by) => {
          const store = restkin.indexedDbStore();
          let won = 0;
          for (let version = 0; version < 40; version++) {
            if (await store.swap('chain', version, `by ${by}`)) won++;
            while (((await store.read('chain'))?.version ?? 0) <= version);
          }
          return won;
        }, tab),
      ),
    );
    expect(counts.reduce((sum, won) => sum + won, 0)).toBe(40);
  });

  test('opens the database again after the browser closed it', async () => {
    const page = await openTab(context, site.url);
    await page.evaluate(async () => {
      Object.assign(globalThis, { store: restkin.indexedDbStore() });
      await store.swap('chain', 0, 'record');
    });
    await clearStorage(page);
    expect(
      await page.evaluate(async () => [await store.read('chain'), await store.swap('chain', 0, 'new')]),
    ).toEqual([undefined, true]);
  });

  test('the database of another program is refused by its name', async () => {
    const page = await openTab(context, site.url);
    const failures = await page.evaluate(async () => {
      const make = (name: string, version: number) =>
        new Promise((resolve) => {
          const request = indexedDB.open(name, version);
          request.onupgradeneeded = () => request.result.createObjectStore('other');
          request.onsuccess = () => resolve(request.result.close());
        });
      await make('newer', 2);
      await make('other', 1);
      const read = (name: string) => restkin.indexedDbStore({ name }).read('chain');
      return Promise.all(['newer', 'other'].map((name) => read(name).then(String, String)));
    });
    expect(failures).toEqual([
      'VersionError: The database "newer" belongs to another program; choose another name',
      'NotFoundError: The database "other" belongs to another program; choose another name',
    ]);
  });

  test('a tab that is frozen in the middle of a swap keeps no other tab waiting', async () => {
    const [frozen, other] = [await openTab(context, site.url), await openTab(context, site.url)];
    const session = await context.newCDPSession(frozen);
    await frozen.evaluate(async () => {
      const own = restkin.indexedDbStore();
      await own.swap('chain', 0, 'record');
      Object.assign(globalThis, { swaps: [] });
      // One is always under way.
      void (async () => {
        for (let version = 1; ; version++) swaps.push(await own.swap('chain', version, 'frozen'));
      })();
    });
    await frozen.waitForFunction(() => swaps.length > 5);
    await setLifecycle(session, 'frozen');
    const swapped = await other.evaluate(async () => {
      const own = restkin.indexedDbStore();
      // What was under way comes in between, until the tab is frozen.
      while (!(await own.swap('chain', (await own.read('chain'))?.version ?? 0, 'other')));
      return true;
    });
    expect(swapped).toBe(true);
    await setLifecycle(session, 'active');
    await frozen.waitForFunction(() => swaps.includes(false));
  });

  test('a page that uses it goes to the back/forward cache, and works when it comes back', async () => {
    const page = await openTab(context, site.url);
    // Playwright loses a page that comes back, so that the page itself reports.
    await page.evaluate(async () => {
      const own = restkin.indexedDbStore();
      let changes = 0;
      own.watch('chain', () => changes++);
      await own.swap('chain', 0, 'record');
      const report = async (persisted: boolean): Promise<void> => {
        const swapped = await own.swap('chain', 1, 'next');
        await fetch('/report', { method: 'POST', body: JSON.stringify({ persisted, changes, swapped }) });
      };
      addEventListener('pageshow', ({ persisted }) => void report(persisted));
      setTimeout(() => location.assign('/away'));
    });
    await vi.waitUntil(() => reports().length > 0, { timeout: 10_000 });
    expect(reports()).toEqual([{ persisted: true, changes: 1, swapped: true }]);
  });

  test('swaps are told to those who watch the chain in other tabs, and not to the sender', async () => {
    const pages = await Promise.all(Array.from({ length: 3 }, () => openTab(context, site.url)));
    for (const page of pages) {
      await page.evaluate(() => {
        Object.assign(globalThis, { store: restkin.indexedDbStore(), told: [] });
        store.watch('chain', () => told.push('chain'));
      });
    }
    const [sender, ...others] = pages;
    await sender?.evaluate(async () => {
      await store.swap('other', 0, 'record');
      await store.swap('chain', 0, 'record');
      await store.swap('chain', 0, 'lost');
    });
    for (const page of others) {
      await page.waitForFunction(() => told.length > 0);
      expect(await page.evaluate(() => told)).toEqual(['chain']);
    }
    expect(await sender?.evaluate(() => told)).toEqual([]);
  });

  test('its key cannot be exported, is the same in every tab, and seals the records', async () => {
    const pages = await Promise.all(Array.from({ length: 3 }, () => openTab(context, site.url)));
    const sealedIn = await Promise.all(
      pages.map((page, tab) =>
        page.evaluate(async (by) => {
          const own = restkin.indexedDbStore();
          const key = await own.key();
          await restkin.sealed(own, key).swap(`chain ${by}`, 0, `secret ${by}`);
          const exported = await crypto.subtle
            .exportKey('raw', key as globalThis.CryptoKey)
            .catch(({ name }) => name);
          return { exported, record: (await own.read(`chain ${by}`))?.record };
        }, tab),
      ),
    );
    for (const { exported, record } of sealedIn) {
      expect(exported).toBe('InvalidAccessError');
      expect(record?.split('.')).toHaveLength(5);
    }
    const read = await pages[0]?.evaluate(async () => {
      const own = restkin.indexedDbStore();
      const store = restkin.sealed(own, await own.key());
      return Promise.all([0, 1, 2].map(async (by) => (await store.read(`chain ${by}`))?.record));
    });
    expect(read).toEqual(['secret 0', 'secret 1', 'secret 2']);
  });

  test('its key is read again after the storage was cleared under an open tab, and signOut() works', async () => {
    const [before, after] = [await openTab(context, site.url), await openTab(context, site.url)];
    await before.evaluate(async () => {
      const own = restkin.indexedDbStore();
      Object.assign(globalThis, { store: restkin.sealed(own, await own.key()) });
      await store.swap('chain', 0, 'record');
    });
    await clearStorage(before);
    expect(await before.evaluate(() => store.swap('chain', 0, 'under the old key'))).toBe(true);
    const seen = await after.evaluate(async () => {
      const own = restkin.indexedDbStore();
      Object.assign(globalThis, { store: restkin.sealed(own, await own.key()) });
      const stored = await store.read('chain');
      const swapped = await store.swap('chain', 1, 'under the new key');
      await restkin
        .tokenAuth({ authUrl: location.origin, username: 'ada', password: 'lovelace', store })
        .signOut();
      return { stored, swapped };
    });
    expect(seen).toEqual({ stored: { version: 1, record: '' }, swapped: true });
    expect(await before.evaluate(() => store.read('chain'))).toEqual({
      version: 2,
      record: 'under the new key',
    });
  });
});
