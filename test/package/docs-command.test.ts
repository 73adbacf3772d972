import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';
import { codeOf, commandOf, readDocument, readShared, withMock, writeBlocks } from './docs-blocks.ts';

// The shell blocks of the guide to the command, run as they stand there against the packed package; only the
// port is a free one.

const [mockLine = '', session = ''] = codeOf(await readDocument('docs/command.md'), 'sh');
// `npx restkin mock ordering.ts --port 4010 …`
const mockArguments = [
  'command/ordering.ts',
  ...mockLine.trim().replace('--port 4010 ', '').split(' ').slice(4),
];

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  await writeBlocks(consumer, 'command', await readShared());
}, 60_000);
afterAll(() => consumer.remove());

/** Runs the commands of a block in a folder. */
const runScript = async (code: string, folder: string): Promise<string> => {
  const script = code.replaceAll('npx restkin', `'${process.execPath}' '${commandOf(consumer)}'`);
  const { PATH = '' } = process.env;
  const options = { cwd: join(consumer.folder, folder), env: { PATH, HOME: consumer.folder } };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options)).stdout;
};

describe('the guide to the command', () => {
  test('its session runs against its mock', async () => {
    expect(mockLine).toContain('--port 4010');
    await withMock(consumer, mockArguments, async (url) => {
      const script = session.replaceAll('http://127.0.0.1:4010', url);
      const stdout = await runScript(script, 'command');
      // Five orders, one order, the orders of a company, and a help.
      const records = stdout.split('\n').filter((line) => line.startsWith('{'));
      const orders: { id: number; company: { name?: string } }[] = records.map((line) => JSON.parse(line));
      expect(orders.slice(0, 5).every(({ company }) => typeof company.name === 'string')).toBe(true);
      expect(orders[5]?.id).toBe(7);
      expect(orders.length).toBeGreaterThan(6);
      expect(stdout).toContain('Usage: restkin get');
    });
  }, 60_000);

  test('the commands of the README lead from a document to a record', async () => {
    const blocks = codeOf(await readDocument('README.md'), 'sh');
    const lines =
      blocks
        .find((code) => code.includes('restkin import'))
        ?.trim()
        .split('\n') ?? [];
    expect(lines).toHaveLength(3);
    const [, importing = '', getting = ''] = lines;
    await consumer.write('imported/package.json', '{ "type": "module" }');
    await withMock(consumer, mockArguments, async (url) => {
      const script = `npx restkin openapi ../command/ordering.ts --out=openapi.json >&2
${importing} >&2
export RESTKIN_BASE_URL=${url} RESTKIN_AUTH_URL=${url} RESTKIN_USERNAME=ada RESTKIN_PASSWORD=lovelace
${getting}`;
      const record: unknown = JSON.parse(await runScript(script, 'imported'));
      expect(record).toMatchObject({ id: 1, company: { id: expect.any(Number) } });
    });
  }, 60_000);

  test('the blocks of the guides to OpenAPI and to the doctor run as they stand there', async () => {
    const [exporting = '', importing = '', referring = '', ...others] = codeOf(
      await readDocument('docs/openapi.md'),
      'sh',
    );
    expect(others).toEqual([]);
    const document = await runScript(exporting, 'command');
    expect(document).toMatch(/^openapi: /m);
    const json = await readFile(join(consumer.folder, 'command/openapi.json'), 'utf8');
    await consumer.write('fresh/package.json', '{ "type": "module" }');
    await consumer.write('fresh/openapi.json', json);
    await consumer.write('fresh-yaml/openapi.yaml', document.slice(document.indexOf('openapi: ')));
    for (const [code, name] of [
      [importing, 'fresh'],
      [referring, 'fresh-yaml'],
    ] as const) {
      await runScript(code, name);
      const written = await readFile(join(consumer.folder, name, 'ordering.ts'), 'utf8');
      expect(written).toContain("name: 'ordering'");
    }
    const [examine = ''] = codeOf(await readDocument('docs/doctor.md'), 'sh');
    await withMock(consumer, mockArguments, async (url) => {
      const script = examine
        .replace('RESTKIN_USERNAME=…', 'RESTKIN_USERNAME=ada')
        .replace('RESTKIN_PASSWORD=…', 'RESTKIN_PASSWORD=lovelace')
        .replaceAll(/https:\/\/(?:api|auth)\.example\.com/g, url);
      expect(await runScript(script, 'command')).toMatch(/^0 failed, \d+ passed/m);
    });
  }, 60_000);
});
