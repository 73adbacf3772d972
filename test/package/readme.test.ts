import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';
import { type Block, blocksOf, readDocument, runBlock, writeBlocks } from './docs-blocks.ts';

// Every TypeScript block of the README, compiled and run against the packed package as a new user would.

const readme = await readDocument('README.md');
const blocks = blocksOf(readme);

let consumer: Consumer;

beforeAll(async () => {
  consumer = await createConsumer();
  await writeBlocks(consumer, 'readme', blocks);
}, 60_000);
afterAll(() => consumer.remove());

const printed = async (has: string): Promise<readonly string[]> => {
  const block: Block | undefined = blocks.find(({ code }) => code.includes(has));
  const { stdout } = await runBlock(consumer, 'readme', block?.file ?? has);
  return stdout.split('\n');
};

describe('README', () => {
  test('is read in one go, and its first example has at most ten lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(435);
    expect(blocks[0]?.code.trim().split('\n').length).toBeLessThanOrEqual(10);
  });

  test.each(compilers)(
    'its blocks compile with %s',
    async (compiler) => {
      const files = blocks.map(({ file }) => `readme/${file}`);
      expect(await consumer.compile(compiler, files)).toBe('');
    },
    60_000,
  );

  test.each(blocks)(
    '$file runs and ends by itself',
    async ({ file }) => {
      const { stderr } = await runBlock(consumer, 'readme', file);
      expect(stderr).toBe('');
    },
    30_000,
  );

  test('CommonJS compiles under nodenext and not under node16', async () => {
    await consumer.write(
      'readme/common.cts',
      `import { createClient } from 'restkin';\nconsole.log(typeof createClient);\n`,
    );
    expect(await consumer.compile('typescript', ['readme/common.cts'])).toBe('');
    const older = ['--module', 'node16', '--moduleResolution', 'node16'];
    expect(await consumer.compile('typescript', ['readme/common.cts'], older)).toContain('TS1479');
  }, 30_000);

  test('what its comments promise is what is printed', async () => {
    expect((await printed("sort: ['-createdAt'] })) console.log")).slice(0, 2)).toEqual([
      '120 cancelled',
      '119 shipped',
    ]);
    expect(await printed('recent.toString()')).toContain(
      'sort=-createdAt%2Cdevice.model&fields=status&perPage=100',
    );
    expect(await printed('advice(error)')).toContain('invalid');
    expect(await printed('createMock(ordering')).toEqual(['undefined', '401 1', '']);
  }, 60_000);
});
