import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';

// Every TypeScript block of the README, compiled and run against the packed package as a new user would.

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

/** Blocks by file name: the one in the first line, else one by number. */
const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ''], index) => ({
  file: /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block-${index + 1}.ts`,
  code,
}));

/** Stands between the blocks and the network: the API that the README talks to. */
const network = `
import { createMock } from 'restkin/mocks';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { ordering } from './ordering.ts';

const statuses = ['open', 'shipped', 'cancelled'];
const mock = createMock(ordering, {
  data: {
    companies: [{ id: 1, name: 'Acme', city: 'Utrecht' }],
    orders: Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      status: statuses[i % 3],
      createdAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
      device: { model: 'M1', serial: 'S-' + i },
      lines: [{ sku: 'SKU-1', quantity: 1 }],
      company: 1,
    })),
  },
  users: [{ username: 'ada', password: 'lovelace' }],
  baseUrl: 'https://api.example.com',
  authUrl: 'https://auth.example.com',
});
const reports = http.get('https://api.example.com/v1/reports/3', () =>
  new HttpResponse('a,b\\n1,2\\n', { headers: { 'content-type': 'text/csv' } }));
setupServer(reports, ...mock.handlers).listen({ onUnhandledFrame: 'error' });
`;

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer();
  await consumer.write('network.ts', network);
  for (const { file, code } of blocks) await consumer.write(file, code);
}, 60_000);
afterAll(() => consumer.remove());

describe('README', () => {
  test('its first example has at most ten lines', () => {
    expect(blocks[0]?.code.trim().split('\n').length).toBeLessThanOrEqual(10);
  });

  test.each(['typescript', 'typescript-7'] as const)(
    'its blocks compile with %s',
    async (compiler) => {
      const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
      const files = blocks.map(({ file }) => file);
      expect(
        await consumer.compile(compiler, [
          ...flags,
          '--allowImportingTsExtensions',
          '--ignoreConfig',
          ...files,
        ]),
      ).toBe('');
    },
    60_000,
  );

  test.each(blocks)(
    '$file runs and ends by itself',
    async ({ file }) => {
      const { stderr } = await consumer.node(['--import', './network.ts', file]);
      expect(stderr).toBe('');
    },
    30_000,
  );

  test('what its comments promise is what is printed', async () => {
    const first = await consumer.node(['--import', './network.ts', 'block-1.ts']);
    expect(first.stdout.split('\n').slice(0, 2)).toEqual(['120 cancelled', '119 shipped']);
    const query = blocks.find(({ code }) => code.includes('recent.toString()'));
    const { stdout } = await consumer.node(['--import', './network.ts', query?.file ?? '']);
    expect(stdout).toContain('sort=-createdAt%2Cdevice.model&fields=status&perPage=100');
  }, 30_000);
});
