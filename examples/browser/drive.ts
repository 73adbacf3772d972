// Uses the page in a real Chromium, as a person would: node examples/browser/drive.ts [--picture]
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startSite } from './start-site.ts';

const picture = fileURLToPath(new URL('../../docs/browser-page.png', import.meta.url));

const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
const executablePath = process.env.CHROMIUM ?? installed.find(existsSync) ?? 'chromium';

const site = await startSite();
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage({ viewport: { width: 960, height: 660 }, deviceScaleFactor: 2 });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(site.url);

  const logIn = async (password: string): Promise<void> => {
    await page.fill('[name=username]', 'ada');
    await page.fill('[name=password]', password);
    await page.click('text=Log in');
  };
  await logIn('wrong');
  console.log(await page.locator('#problem:not(:empty)').innerText());
  await logIn('lovelace');

  await page.waitForFunction(() => document.querySelectorAll('#rows tr').length >= 1_000);
  await page.click('#stop');
  await page.waitForSelector('#resume:visible');
  console.log(await page.innerText('#status'));
  const requests = site.mock.requests.length;
  if (process.argv.includes('--picture')) await page.screenshot({ path: picture });

  await page.click('#resume');
  await page.waitForSelector('#status:has-text("Complete")');
  console.log(await page.innerText('#status'));
  const ids = await page.locator('#rows td:first-child').allInnerTexts();
  const expected = site.mock.state.rows('orders').map(({ id }) => `#${String(id)}`);
  console.log(`every order once and in its place: ${ids.join() === expected.join()}`);
  console.log(`requests after the stop: ${site.mock.requests.length - requests}`);
} finally {
  await browser.close();
  await site.close();
}
