import { diagnose } from 'restkin/doctor';
import { expect, test } from 'vitest';
import { serveOwn } from './own-server.ts';
import { login } from './server.ts';
import { shop } from './shop.ts';

test('a server of the family that is written independently has no failure, and is left as it was', async () => {
  const { url, orders } = await serveOwn();
  const before = JSON.stringify([...orders]);
  const options = { baseUrl: url, authUrl: url, ...login, allowWrites: true, allowReuse: true };
  const { findings, leftBehind, counts } = await diagnose(shop, options);
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  expect(leftBehind).toEqual([]);
  expect(counts.pass).toBeGreaterThan(80);
  expect(JSON.stringify([...orders])).toBe(before);
});
