// One login in five tabs, without a password: the server refuses its access tokens all the time, while tabs
// are closed, reloaded, frozen, left and returned to at any moment. The server's counts judge.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Behaviour, mostPresented, startTokenServer } from '../faults/token-server.ts';
import { type RecordedRequest, record } from '../support/recording-server.ts';
import { isFullRun } from '../support/runs.ts';
import { isMissing, openTab, pageFiles, setLifecycle, withBrowser } from './tabs.ts';

const renewals = isFullRun ? 150 : 15;
/** A client that outlives its tabs renews a token that was just fetched only after seconds. */
const renewalsInWorker = isFullRun ? 40 : 8;
const endpointMs = 20;
const tabCount = 5;
const expiresAfterMs = 80;
const leaseMs = 1_500;

type Action = 'closed' | 'reloaded' | 'frozen' | 'left';
const actions: readonly Action[] = ['closed', 'reloaded', 'frozen', 'left'];

/** What was done to a tab, and when it was over: a tab that is being closed may still send. */
interface Blow {
  readonly tab: string;
  readonly action: Action;
  until: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The same course of events in each run, as far as the machine allows. */
const createRandom = () => {
  let state = 20;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

describe.skipIf(isMissing)('five tabs with one login and no password, in Chromium', () => {
  const browser = withBrowser();

  const disturb = async (worker: boolean) => {
    const random = createRandom();
    const sent: { readonly tab: string; readonly at: number }[] = [];
    const behave = (grant: string, _index: number, { headers }: RecordedRequest): Behaviour => {
      const tab = String(headers['x-tab']);
      if (grant === 'refresh_token') sent.push({ tab, at: performance.now() });
      return { delayMs: random(endpointMs), lateMs: random(endpointMs) };
    };
    await using reports = await record(() => ({ status: 204 }));
    await using server = await startTokenServer({ files: await pageFiles(), behave });
    const context = await browser.context();
    const blows: Blow[] = [];
    let opened = 0;

    const open = async (): Promise<{ readonly name: string; readonly page: Page }> => {
      const name = `tab-${opened++}`;
      const query = new URLSearchParams({ tab: name, lease: String(leaseMs), reports: reports.url });
      if (worker) query.set('worker', '');
      return { name, page: await openTab(context, `${server.url}/?${query}`) };
    };

    const person = await openTab(context, server.url);
    const logIn = () =>
      person.evaluate(
        (lease) => restkin.openClient({ tab: 'person', leaseMs: lease, password: 'lovelace' }).call(),
        leaseMs,
      );

    /** One tab, and what happens to it one after the other. */
    const live = async (isOver: () => boolean): Promise<void> => {
      let { name, page } = await open();
      while (!isOver()) {
        await pause(random(2_000));
        const action = actions[random(actions.length)] ?? 'closed';
        const blow = { tab: name, action, until: Number.POSITIVE_INFINITY };
        blows.push(blow);
        if (action === 'reloaded') await page.reload();
        else if (action === 'frozen') {
          const session = await context.newCDPSession(page);
          await setLifecycle(session, 'frozen');
          await pause(random(2 * leaseMs));
          await setLifecycle(session, 'active');
          await session.detach();
        } else {
          if (action === 'left') {
            // It comes back by itself; Playwright loses sight of it.
            await page.evaluate(() => void setTimeout(() => location.assign('/away')));
            await pause(500 + random(1_000));
          }
          await page.close();
          ({ name, page } = await open());
        }
        blow.until = performance.now();
      }
    };

    /**
     * Why the login was lost: what happened to the tab that sent, or was about to send, the last refresh
     * token.
     */
    const causeOf = (): string => {
      const last = sent.at(-1);
      const after = blows.filter(({ until }) => until >= (last?.at ?? 0));
      const sender = after.find(({ tab }) => tab === last?.tab);
      if (sender !== undefined) return `${sender.action} before the tokens arrived`;
      return after[0] === undefined ? 'unexplained' : `${after[0].action} before the token was sent`;
    };

    expect(await logIn()).toBeUndefined();
    const enough = worker ? renewalsInWorker : renewals;
    const isOver = (): boolean => server.granted.refresh_token >= enough;
    const lives = Array.from({ length: tabCount }, () => live(isOver));
    const causes = new Map<string, number>();
    let expiries = 0;
    for (let seen = 0; !isOver(); expiries++) {
      server.expireAll();
      await pause(expiresAfterMs);
      const isLost = reports.requests.slice(seen).some(({ body }) => body.includes('Reauthentication'));
      if (!isLost) continue;
      const cause = causeOf();
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
      await logIn();
      seen = reports.requests.length;
    }
    await Promise.all(lives);
    await context.close();

    const lost = [...causes].map(([cause, times]) => `${times} ${cause}`).join(', ');
    const where = worker ? 'a client in a SharedWorker' : 'a client in each tab';
    process.stdout.write(
      `${where}: ${expiries} expiries, ${enough} renewals, tabs disturbed ${blows.length} times; logins lost: ${lost || 'none'}\n`,
    );
    const failures: string[] = reports.requests.map(({ body }) => JSON.parse(body).failure);
    return { mostPresented: mostPresented(server), causes: [...causes.keys()], failures: new Set(failures) };
  };

  test('send no refresh token twice, and lose the login only in the middle of a renewal', async () => {
    const { mostPresented, causes, failures } = await disturb(false);
    expect(mostPresented).toBe(1);
    expect(causes).not.toContain('unexplained');
    // There was nobody who could log in, or the server refused a token that had just arrived.
    for (const explained of ['ReauthenticationRequiredError', 'UnauthorizedError'])
      failures.delete(explained);
    expect([...failures]).toEqual([]);
  }, 600_000);

  test('lose no login when their client is in a SharedWorker', async () => {
    const { mostPresented, causes, failures } = await disturb(true);
    expect(mostPresented).toBe(1);
    expect(causes).toEqual([]);
    failures.delete('UnauthorizedError');
    expect([...failures]).toEqual([]);
  }, 600_000);
});
