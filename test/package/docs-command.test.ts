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

/** A line of a table; the port decides how long the dashes below its head are. */
const toShown = (line: string): string => line.trimEnd().replace(/-+/g, '-');

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
      // A list, one order, a table of orders, and a help.
      const [list = ''] = stdout.split(/^\]$/m);
      const orders: { id: number; status: string; company: { name: string } }[] = JSON.parse(`${list}]`);
      expect(orders).toHaveLength(5);
      expect(orders.every(({ company }) => typeof company.name === 'string')).toBe(true);
      expect(stdout).toMatch(/^ {2}"id": 7,$/m);
      expect(stdout).toMatch(/^id,self,status,createdAt,device\.model,device\.serial,lines,company\.id/m);
      expect(stdout).toContain('Usage: restkin get');
    } finally {
      expect(await stop()).toBe(0);
    }
  }, 60_000);

  test('its picture shows what the commands print', async () => {
    const picture = [...(await readDocument('docs/command.svg')).matchAll(/<text [^>]*>(.+)<\/text>/g)]
      .map(([, line = '']) => line.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"'))
      .join('\n');
    const [served, ...read] = picture.split(/^\$ npx restkin /m).slice(1);
    expect(`npx restkin ${served?.split('\n')[0]}`).toBe(mockLine.trim().replace(' --port 4010', ''));
    expect(read).toHaveLength(2);
    const { host, stop } = await startMock();
    try {
      const url = `http://${host}`;
      const urls = { RESTKIN_BASE_URL: url, RESTKIN_AUTH_URL: url };
      const user = { RESTKIN_USERNAME: 'ada', RESTKIN_PASSWORD: 'lovelace' };
      const { cwd, env } = surroundings();
      for (const session of read) {
        const [line = '', ...shown] = session.trim().split('\n');
        // A terminal gets a table, and both of the streams.
        const script = `'${process.execPath}' '${command()}' ${line} --output=table 2>&1 || true`;
        const run = promisify(execFile)('bash', ['-c', script], { cwd, env: { ...env, ...urls, ...user } });
        const printed = (await run).stdout.replaceAll(host, documented);
        expect(printed.trim().split('\n').map(toShown)).toEqual(shown.map(toShown));
      }
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
      expect(JSON.parse(stdout)).toMatchObject([{ id: 1, company: { id: expect.any(Number) } }]);
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
