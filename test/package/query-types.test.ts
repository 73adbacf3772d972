import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, compilers, createConsumer } from '../support/consumer.ts';

// The options of `restkin/query` in the adapters of React and Vue, compiled against the packed package.

const types = new URL('../types/query/', import.meta.url);
const names = await readdir(types);

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  await consumer.write(
    'support/ordering.ts',
    await readFile(new URL('../support/ordering.ts', import.meta.url), 'utf8'),
  );
  for (const name of names)
    await consumer.write(`types/query/${name}`, await readFile(new URL(name, types), 'utf8'));
}, 60_000);
afterAll(() => consumer.remove());

test('there is a program for React and one for Vue', () => {
  expect(names.sort()).toEqual(['react.types.ts', 'vue.types.ts']);
});

test.each(compilers)(
  'the adapters know data, errors and variables with %s',
  async (compiler) => {
    const files = names.map((name) => `types/query/${name}`);
    expect(await consumer.compile(compiler, files)).toBe('');
  },
  120_000,
);

test('the entry is one small file that imports nothing', async () => {
  const text = await readFile(`${consumer.folder}/node_modules/restkin/dist/query.js`, 'utf8');
  expect(text).not.toMatch(/\bimport\b|\brequire\b/);
  expect(text.length).toBeLessThan(8_000);
});
