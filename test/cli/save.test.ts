import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formatProgress } from '../../src/cli/download.ts';
import { run } from './run-command.ts';
import { type Served, serveOrdering } from './served.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const recording = Buffer.alloc(300_000, 'x');

let workspace: Workspace;
let served: Served;
let folder = '';
beforeAll(async () => {
  workspace = await createWorkspace();
  served = await serveOrdering(undefined, {
    endpoints: {
      'v1/recordings/:id': (request) =>
        new Response(recording, {
          headers: { 'content-type': 'audio/wav', 'x-query': new URL(request.url).search },
        }),
      'v1/broken': () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.error(new Error('out of tape')),
          }),
        ),
    },
  });
  folder = join(workspace.folder, 'saved');
  await mkdir(folder);
});
afterEach(() => served.mock.reset());
afterAll(async () => {
  await served.server.close();
  await workspace.remove();
});

const get = (...args: string[]) => run(['get', './api.ts', ...args], workspace.folder, served.env);

describe('restkin get --output=<file>', () => {
  test('saves the response of an own endpoint', async () => {
    const { code, stdout, stderr } = await get(
      'recordings/3',
      '--output=saved/a.wav',
      '--param',
      'rate=44',
      '--param=channel=1',
      '--param=channel=2',
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(folder, 'a.wav'))).toEqual(recording);
    const [request] = served.mock.requests.filter(({ path }) => path.endsWith('/recordings/3'));
    expect(Object.fromEntries(request?.search ?? [])).toEqual({ rate: '44', channel: '1,2' });
  });

  test('saves records in the format of the extension', async () => {
    const [csv, ndjson, json] = await Promise.all([
      get('companies', '--output=saved/companies.csv'),
      get('orders', '--all', '--output=saved/orders.ndjson'),
      get('orders/7', '--output=./saved/order.json'),
    ]);
    expect([csv, ndjson, json].map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
      Array(3).fill([0, '', '']),
    );
    expect((await readFile(join(folder, 'companies.csv'), 'utf8')).split('\r\n')[0]).toContain('name');
    expect((await readFile(join(folder, 'orders.ndjson'), 'utf8')).trim().split('\n')).toHaveLength(60);
    expect(JSON.parse(await readFile(join(folder, 'order.json'), 'utf8'))).toMatchObject({ id: 7 });
  });

  test.each<[string, readonly string[], number, string]>([
    ['a response that is cut', ['broken', '--output=saved/kept.wav'], 9, ''],
    ['an error status', ['orders/999', '--output=saved/kept.json'], 5, '404'],
    ['an unknown own endpoint', ['recording/3', '--output=saved/kept.wav'], 5, '404'],
    [
      'a folder that does not exist',
      ['recordings/3', '--output=none/a.wav'],
      2,
      'none/a.wav cannot be written: its folder',
    ],
    ['one for records', ['orders', '--output=none/a.csv'], 2, 'none/a.csv cannot be written: its folder'],
    [
      'records in a file of an unknown format',
      ['orders', '--output=saved/kept.xml'],
      2,
      '.json, .ndjson or .csv',
    ],
    [
      'an option of a collection',
      ['recordings/3', '--output=saved/kept.wav', '--sort=id'],
      2,
      '--sort is for a collection',
    ],
  ])('%s leaves what was there', async (_name, args, code, message) => {
    await writeFile(join(folder, 'kept.wav'), 'old');
    await writeFile(join(folder, 'kept.json'), 'old');
    const before = await readdir(folder);
    const result = await get(...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(await readdir(folder)).toEqual(before);
    expect(await readFile(join(folder, 'kept.wav'), 'utf8')).toBe('old');
    expect(await readFile(join(folder, 'kept.json'), 'utf8')).toBe('old');
  });
});

test.each([
  [{ bytes: 0, total: 0 }, '[########################] 100% of 0 B'],
  [{ bytes: 500_000, total: 2_000_000 }, '[######------------------] 25% of 2.0 MB'],
  [{ bytes: 1_999_999, total: 2_000_000 }, '[########################] 99% of 2.0 MB'],
  [{ bytes: 1_234, total: undefined }, '1.2 kB'],
  [{ bytes: 5_000_000_000_000, total: undefined }, '5000.0 GB'],
])('the bar of %o', (progress, bar) => {
  expect(formatProgress(progress)).toBe(bar);
});
