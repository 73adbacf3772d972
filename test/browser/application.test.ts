// The example, built by Vite and served with a strict Content-Security-Policy, as a person uses it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Site } from '../../examples/browser/start-site.ts';
import { runHere, startHere } from '../cli/run-here.ts';
import { compileExample, installExample } from '../examples/example-package.ts';
import { temporaryFolder } from '../support/runs.ts';
import { isMissing, withBrowser } from './tabs.ts';

const rows = (page: Page) => page.locator('tbody tr');
const row = (page: Page, id: number) => rows(page).filter({ has: page.getByText(`#${id}`, { exact: true }) });

describe.skipIf(isMissing)('the example application, in Chromium', () => {
  const browser = withBrowser();
  let site: Site;
  let context: BrowserContext;
  const complaints: string[] = [];

  beforeAll(async () => {
    await installExample('browser');
    const { startSite } = await import('../../examples/browser/start-site.ts');
    // vitest has set another one, with which Vite builds for development.
    vi.stubEnv('NODE_ENV', 'production');
    site = await startSite();
    vi.unstubAllEnvs();
  }, 120_000);
  afterAll(() => site?.close());
  beforeEach(async () => {
    context = await browser.context();
    context.setDefaultTimeout(10_000);
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        complain(`forbidden by ${violatedDirective}: ${blockedURI}`),
      );
    });
    await context.exposeBinding('complain', (_source, complaint: string) => void complaints.push(complaint));
    context.on('weberror', (error) => complaints.push(String(error.error())));
    return () => context.close();
  });

  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(site.url);
    return page;
  };
  const logIn = async (page: Page, password = 'lovelace'): Promise<void> => {
    await page.fill('[name=username]', 'ada');
    await page.fill('[name=password]', password);
    await page.click('text=Log in');
  };
  const openLoggedIn = async (): Promise<Page> => {
    const page = await open();
    await logIn(page);
    await rows(page).first().waitFor();
    return page;
  };
  const logins = (): number => site.mock.requests.filter(({ url }) => url.endsWith('/auth/token')).length;
  const orderIds = (): readonly unknown[] => site.mock.state.rows('orders').map(({ id }) => id);

  test('it compiles', async () => expect(await compileExample('browser')).toBe(''), 60_000);

  test('a wrong password is told, the right one shows the first page with its total', async () => {
    const page = await open();
    await logIn(page, 'wrong');
    await page.locator('[role=alert]', { hasText: 'Wrong username or password.' }).waitFor();
    await logIn(page);
    await page.locator('[role=status]', { hasText: `of ${orderIds().length / 10}, 2,400 orders` }).waitFor();
    expect(await rows(page).count()).toBe(10);
    expect(await rows(page).first().innerText()).toContain('#2400');
  });

  test('an invalid field is told at the field, what was typed stays, and a valid one is saved and shown in the table', async () => {
    const page = await openLoggedIn();
    await page.click('text=#2399');
    const serial = page.locator('label', { hasText: 'Serial number' });
    await page.fill('[name="device.serial"]', '');
    await page.fill('[name="device.model"]', 'Router R9');
    await page.click('text=Save');
    await serial.locator('.error').waitFor();
    expect(await page.locator('[aria-invalid=true]').getAttribute('name')).toBe('device.serial');
    expect(await page.inputValue('[name="device.model"]')).toBe('Router R9');
    await page.fill('[name="device.serial"]', 'S-9');
    await page.click('text=Save');
    await row(page, 2_399).filter({ hasText: 'Router R9' }).waitFor();
    expect(site.mock.state.rows('orders').find(({ id }) => id === 2_399)?.device).toEqual({
      model: 'Router R9',
      serial: 'S-9',
    });
  });

  test('an order is cancelled by its action, and its invoice is a file', async () => {
    const page = await openLoggedIn();
    await page.click('text=#2398');
    const download = page.waitForEvent('download');
    await page.click('text=Invoice');
    const file = await download;
    expect(file.suggestedFilename()).toBe('invoice-2398.txt');
    const path = join(temporaryFolder(), 'invoice.txt');
    await file.saveAs(path);
    expect(await readFile(path, 'utf8')).toMatch(/^Invoice of order 2398\n\d+ x SKU-\d+$/);
    await page.click('text=Cancel order');
    await row(page, 2_398).locator('.cancelled').waitFor();
    expect(site.mock.state.row('orders', 2_398)?.status).toBe('cancelled');
  });

  test('against `restkin mock`, an order is cancelled by the action that the exported document has', async () => {
    const file = fileURLToPath(new URL('../../examples/ordering.ts', import.meta.url));
    const policy = (await fetch(site.url)).headers.get('content-security-policy') ?? '';
    const [, api = ''] = /connect-src (\S+);/.exec(policy) ?? [];
    const generated = ['--generate=companies=3', '--generate=orders=30'];
    const command = startHere(['mock', file, '--port=0', `--base-url=${api}`, ...generated]);
    const printed = await command.written('Stop with Ctrl-C.\n');
    const [, url = ''] = /--base-url=(http:\S+)/.exec(printed) ?? [];
    const page = await context.newPage();
    // The mock of the command stands for the API of the site.
    await page.route(`${api}/**`, (route) =>
      route.continue({ url: route.request().url().replace(api, url) }),
    );
    await page.goto(site.url);
    await logIn(page);
    await page.locator('[role=status]', { hasText: '30 orders' }).waitFor();
    await rows(page).first().locator('.link').click();
    await page.click('text=Cancel order');
    expect(await command.written('/cancel 201')).toMatch(/POST \/v1\/orders\/\d+\/cancel 201/);
    const { stdout } = await runHere(['openapi', file]);
    expect(JSON.parse(stdout).paths['/v1/orders/{id}/cancel'].post.operationId).toBe('ordersCancel');
  });

  test('two tabs share one login: each shows the end of it, and the next one', async () => {
    const before = logins();
    const first = await openLoggedIn();
    const second = await open();
    await rows(second).first().waitFor();
    await second.reload();
    await rows(second).first().waitFor();
    expect(logins() - before).toBe(1);
    await second.click('text=Sign out');
    for (const page of [first, second]) await page.locator('[name=password]').waitFor();
    await logIn(first);
    for (const page of [first, second]) await rows(page).first().waitFor();
    expect(logins() - before).toBe(2);
  });

  test('a tab that waits for the renewal of another one stays logged in', async () => {
    const first = await openLoggedIn();
    const second = await open();
    await rows(second).first().waitFor();
    const before = logins();
    site.mock.clock.advance({ minutes: 11 });
    site.mock.faults.next({ token: true, delayMs: 3_000 });
    await first.click('text=Next');
    await expect.poll(logins).toBe(before + 1);
    await second.click('text=Next');
    for (const page of [first, second]) await row(page, 2_390).waitFor();
    expect(logins()).toBe(before + 1);
  });

  test('the policy `script-src self` forbids nothing that it does, and nothing is thrown', () => {
    expect(complaints).toEqual([]);
  });
});
