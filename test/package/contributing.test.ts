import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocument } from './docs-blocks.ts';

const exists = (file: string): boolean =>
  existsSync(fileURLToPath(new URL(`../../${file}.ts`, import.meta.url)));

test('CONTRIBUTING.md names for each rule an existing file of the client and of the mock', async () => {
  const rows = (await readDocument('CONTRIBUTING.md')).split('\n').filter((line) => line.startsWith('| §'));
  expect(rows.length).toBeGreaterThanOrEqual(15);
  for (const row of rows) {
    const [, , , client = '', mock = ''] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    expect([client, mock].filter((file) => !exists(file))).toEqual([]);
    expect([client, mock]).toEqual([expect.stringMatching(/^src\//), expect.stringMatching(/^mocks\//)]);
  }
});

test('no file of src and mocks has more than 300 lines', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const long: string[] = [];
  let count = 0;
  for await (const file of glob('{src,mocks}/**/*.ts', { cwd })) {
    const lines = (await readFile(`${cwd}${file}`, 'utf8')).split('\n').length - 1;
    if (lines > 300) long.push(file);
    count++;
  }
  expect(count).toBeGreaterThan(100);
  expect(long).toEqual([]);
});
