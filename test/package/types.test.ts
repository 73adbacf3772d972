import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';

// What must and must not compile, compiled against the packed package as a user's program is: with the declarations of
// every library checked too.

const types = new URL('../types/', import.meta.url);
const names = (await readdir(types)).filter((name) => name.endsWith('.types.ts'));
const texts = await Promise.all(names.map((name) => readFile(new URL(name, types), 'utf8')));
const all = texts.join('\n');

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  const ordering = await readFile(new URL('../support/ordering.ts', import.meta.url), 'utf8');
  await consumer.write('support/ordering.ts', ordering);
  for (const [index, name] of names.entries()) await consumer.write(`types/${name}`, texts[index] ?? '');
}, 60_000);
afterAll(() => consumer.remove());

describe('types', () => {
  test('at least 60 wrong uses, each with its reason, and 60 exact results', () => {
    expect(all.match(/@ts-expect-error \S+ \S+/g)?.length).toBeGreaterThanOrEqual(60);
    expect(all.match(/@ts-expect-error\s*$/gm)).toBeNull();
    expect(all.match(/\(\)\.exactly</g)?.length).toBeGreaterThanOrEqual(60);
  });

  test.each(compilers)(
    'compile in a consumer with %s',
    async (compiler) => {
      expect(
        await consumer.compile(
          compiler,
          names.map((name) => `types/${name}`),
        ),
      ).toBe('');
    },
    120_000,
  );
});
