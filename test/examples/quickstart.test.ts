import { expect, test } from 'vitest';
import { startExample } from './example-process.ts';

test('the quickstart logs in once, iterates, writes and catches, and ends by itself', async () => {
  const { stdout, stderr, end } = await startExample(['examples/quickstart.ts']).ended;
  expect({ stderr, end }).toEqual({ stderr: '', end: 0 });
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^1\. The mock of "ordering" listens at http:\/\/127\.0\.0\.1:\d+$/);
  expect(lines[1]).toBe('2. Logged in; page 1 of 7 has 50 of 340 orders');
  expect(lines[2]).toMatch(/^3\. Iterated 340 orders, newest first \(20\d\d-.*Z\): /);
  const shares = [...(lines[2] ?? '').matchAll(/(Acme|Blue Moon|Corner Shop) (\d+)/g)];
  expect(shares).toHaveLength(3);
  expect(shares.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(340);
  expect(lines.slice(3)).toEqual([
    '4. Created order 341 at /v1/orders/341',
    '5. Refused with 400: The request body is not valid',
    expect.stringMatching(/^ {3}createdAt: \w/),
    expect.stringMatching(/^ {3}lines\.0\.quantity: \w/),
    // The first page, seven more for the iteration, two writes, and the login.
    '6. 11 requests, 1 of them for a token',
  ]);
});
