import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';
import { codeOf, readDocument, readShared, writeBlocks } from './docs-blocks.ts';

// The shell blocks of the guide to the command, run as they stand there against the packed package; only the port
// is a free one.

const [mockLine = '', session = ''] = codeOf(await readDocument('docs/command.md'), 'sh');
const documented = '127.0.0.1:4010';

let consumer: Consumer;
let state: string;
beforeAll(async () => {
  consumer = await createConsumer();
  await writeBlocks(consumer, 'command', await readShared());
  state = await mkdtemp(join(tmpdir(), 'restkin-state-'));
}, 60_000);
afterAll(async () => {
  await consumer.remove();
  await rm(state, { recursive: true, force: true });
});

const surroundings = () => {
  const { PATH = '' } = process.env;
  return { cwd: join(consumer.folder, 'command'), env: { PATH, XDG_STATE_HOME: state, HOME: state } };
};

/** What `npx` would find in the package. */
const command = () => join(consumer.folder, 'node_modules/restkin/dist/cli.js');

/** Starts the mock of the guide, and gives where it listens. */
const startMock = async () => {
  const args = mockLine.trim().replace('--port 4010', '--port 0').split(' ').slice(2);
  const mock = spawn(process.execPath, [command(), ...args], surroundings());
  const ended = new Promise<number | null>((resolve) => mock.once('exit', resolve));
  let output = '';
  for await (const part of mock.stdout) {
    output += String(part);
    if (output.includes('Stop with')) break;
  }
  const stop = (): Promise<number | null> => {
    mock.kill('SIGTERM');
    return ended;
  };
  return { host: /http:\/\/(\S+)/.exec(output)?.[1] ?? '', stop };
};

describe('the guide to the command', () => {
  test('its session runs against its mock', async () => {
    expect(mockLine).toContain('--port 4010');
    const { host, stop } = await startMock();
    try {
      const script = session
        .replaceAll(documented, host)
        .replaceAll('npx restkin', `'${process.execPath}' '${command()}'`);
      const run = promisify(execFile);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], surroundings());
      // Five orders, one order, the orders of a company, and a help.
      const records = stdout.split('\n').filter((line) => line.startsWith('{'));
      const orders: { id: number; company: { name?: string } }[] = records.map((line) => JSON.parse(line));
      expect(orders.slice(0, 5).every(({ company }) => typeof company.name === 'string')).toBe(true);
      expect(orders[5]?.id).toBe(7);
      expect(orders.length).toBeGreaterThan(6);
      expect(stdout).toContain('Usage: restkin get');
    } finally {
      expect(await stop()).toBe(0);
    }
  }, 60_000);

  test('its three commands lead from a document to a record', async () => {
    const blocks = codeOf(await readDocument('README.md'), 'sh');
    const lines =
      blocks
        .find((code) => code.includes('restkin import'))
        ?.trim()
        .split('\n') ?? [];
    expect(lines).toHaveLength(3);
    const [, importing = '', getting = ''] = lines;
    const { host, stop } = await startMock();
    const run = promisify(execFile);
    const { cwd, env } = surroundings();
    const folder = join(cwd, 'imported');
    await consumer.write('command/imported/package.json', '{ "type": "module" }');
    const url = `http://${host}`;
    const urls = { RESTKIN_BASE_URL: url, RESTKIN_AUTH_URL: url };
    const user = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
    const restkin = (line: string) =>
      run(process.execPath, [command(), ...line.split(' ').slice(2)], {
        cwd: folder,
        env: { ...env, ...urls, ...user },
      });
    try {
      await restkin('npx restkin openapi ../ordering.ts --output=openapi.json');
      await restkin(importing);
      const { stdout } = await restkin(getting);
      expect(JSON.parse(stdout)).toMatchObject({ id: 1, company: { id: expect.any(Number) } });
    } finally {
      expect(await stop()).toBe(0);
    }
  }, 60_000);

  test('the blocks of the guides to OpenAPI and to the doctor run as they stand there', async () => {
    const openApi = codeOf(await readDocument('docs/openapi.md'), 'sh');
    const [examine = ''] = codeOf(await readDocument('docs/doctor.md'), 'sh');
    expect(openApi.map((code) => code.split(' ')[2])).toEqual(['openapi', 'import', 'import']);
    const [exporting = '', importing = '', referring = ''] = openApi;
    const { cwd, env } = surroundings();
    const run = async (code: string, folder: string): Promise<string> => {
      const script = code.replaceAll('npx restkin', `'${process.execPath}' '${command()}'`);
      const bash = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
      return (await bash).stdout;
    };
    const document = await run(exporting, cwd);
    expect(document).toMatch(/^openapi: /m);
    const json = await readFile(join(cwd, 'openapi.json'), 'utf8');
    await consumer.write('fresh/package.json', '{ "type": "module" }');
    await consumer.write('fresh/openapi.json', json);
    await consumer.write('fresh-yaml/openapi.yaml', document.slice(document.indexOf('openapi: ')));
    for (const [code, name] of [
      [importing, 'fresh'],
      [referring, 'fresh-yaml'],
    ] as const) {
      const folder = join(consumer.folder, name);
      await run(code, folder);
      expect(await readFile(join(folder, 'ordering.ts'), 'utf8')).toContain("name: 'ordering'");
    }

    const { host, stop } = await startMock();
    try {
      const script = examine
        .replace('RESTKIN_USERNAME=…', 'RESTKIN_USERNAME=ada')
        .replace('RESTKIN_PASSWORD=…', 'RESTKIN_PASSWORD=lovelace')
        .replaceAll(/https:\/\/(?:api|auth)\.example\.com/g, `http://${host}`);
      expect(await run(script, cwd)).toMatch(/^0 failed, \d+ passed/m);
    } finally {
      expect(await stop()).toBe(0);
    }
  }, 60_000);
});
