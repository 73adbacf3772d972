// The example, built by Vite and served with a strict Content-Security-Policy, as a person uses it.
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Site } from '../../examples/browser/start-site.ts';
import { compileExample, installExample } from '../examples/example-package.ts';
import { isMissing, withBrowser } from './tabs.ts';

const picture = fileURLToPath(new URL('../../docs/browser-page.jpg', import.meta.url));

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

  test('the table is sorted by a column, either way, and turned page by page', async () => {
    const page = await openLoggedIn();
    await page.locator('th button', { hasText: 'Order' }).click();
    await row(page, 1).waitFor();
    await page.click('text=Next');
    await row(page, 11).waitFor();
    await page.click('text=Next');
    await row(page, 21).waitFor();
    await page.click('text=Previous');
    await row(page, 11).waitFor();
    await page.locator('th button', { hasText: 'Order' }).click();
    await row(page, 2_400).waitFor();
    expect(await page.locator('th[aria-sort=descending]').innerText()).toBe('Order');
  });

  test('an invalid field is told at the field, and a valid one is saved and shown in the table', async () => {
    const page = await openLoggedIn();
    await page.click('text=#2399');
    const serial = page.locator('label', { hasText: 'Serial number' });
    await page.fill('[name="device.serial"]', '');
    await page.fill('[name="device.model"]', 'Router R9');
    await page.click('text=Save');
    await serial.locator('.error').waitFor();
    expect(await page.locator('[aria-invalid=true]').getAttribute('name')).toBe('device.serial');
    await page.fill('[name="device.serial"]', 'S-9');
    await page.click('text=Save');
    await row(page, 2_399).filter({ hasText: 'Router R9' }).waitFor();
    expect(site.mock.state.rows('orders').find(({ id }) => id === 2_399)?.device).toEqual({
      model: 'Router R9',
      serial: 'S-9',
    });
  });

  test('a row that is deleted disappears at once and survives a 503; a longer outage brings it back', async () => {
    const page = await openLoggedIn();
    const remove = async (id: number, times: number): Promise<void> => {
      site.mock.faults.next({ status: 503, method: 'DELETE', collection: 'orders', times });
      await row(page, id).getByText('Delete').click();
      await row(page, id).waitFor({ state: 'detached' });
    };
    await remove(2_400, 1);
    await page.locator('[role=status]', { hasText: '2,399 orders' }).waitFor();
    expect(orderIds()).not.toContain(2_400);
    await remove(2_398, 4);
    await page.locator('[role=alert]', { hasText: 'The order desk cannot be reached.' }).waitFor();
    await row(page, 2_398).waitFor();
    expect(orderIds()).toContain(2_398);
  });

  test('a long export shows its progress, is stopped, continues, and has each order once', async () => {
    const page = await openLoggedIn();
    await page.click('text=Export all orders');
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) >= 500);
    await page.click('text=Stop');
    const stopped = Number(await page.locator('progress').getAttribute('value'));
    const before = site.mock.requests.length;
    await page.click('text=Continue');
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 15_000 }),
      page.locator('button', { hasText: 'Download' }).click({ timeout: 15_000 }),
    ]);
    const [header, ...lines] = (await text(await download.createReadStream())).split('\n');
    expect(header).toBe('id,createdAt,status');
    expect(lines.map((line) => Number(line.split(',')[0])).sort((a, b) => a - b)).toEqual(
      [...orderIds()].sort((a, b) => Number(a) - Number(b)),
    );
    // What was read is not requested again, but for the page of the last order.
    expect(site.mock.requests.length - before).toBeLessThanOrEqual(
      Math.ceil((lines.length - stopped) / 50) + 2,
    );
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
    // The picture of the README.
    if (process.env.RESTKIN_PICTURE === undefined) return;
    await first.click('text=Export all orders');
    await second.locator('th button', { hasText: 'Order' }).click();
    await row(second, 1).waitFor();
    await second.click('text=#3');
    await second.fill('[name="device.serial"]', '');
    await second.click('text=Save');
    await second.locator('.error').waitFor();
    await first.locator('button', { hasText: 'Download' }).waitFor();
    const shots: string[] = [];
    for (const page of [first, second]) {
      await page.setViewportSize({ width: 800, height: 660 });
      shots.push(`data:image/png;base64,${(await page.screenshot()).toString('base64')}`);
    }
    const both = await context.newPage();
    await both.setViewportSize({ width: 1_620, height: 660 });
    const images = shots.map((src) => `<img src="${src}">`).join('');
    await both.setContent(`<style>body{margin:0;display:flex;gap:20px;background:#9aa5b1}</style>${images}`);
    await both.screenshot({ path: picture, type: 'jpeg', quality: 60 });
  });

  test('the policy `script-src self` forbids nothing that it does, and nothing is thrown', () => {
    expect(complaints).toEqual([]);
  });

  test('what restkin adds to the bundle is bounded', () => {
    const files = [...site.files].filter(([path]) => path.endsWith('.js'));
    const sizes = files.map(([path, { content }]) => [path, brotliCompressSync(content).length] as const);
    process.stdout.write(`bundle, brotli: ${sizes.map(([path, size]) => `${path} ${size}`).join(', ')}\n`);
    const [restkin] = sizes.filter(([path]) => /\/restkin-[^/]*\.js$/.test(path));
    expect(restkin?.[1]).toBeGreaterThan(10_000);
    expect(restkin?.[1]).toBeLessThan(38_000);
  });
});
