import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadApi, loadEvery } from '../../src/cli/api-file.ts';
import { createOutput } from '../../src/cli/io.ts';

test('a terminal of unknown size has no width to fit', () => {
  const columnsOf = (columns: number) =>
    createOutput(Object.assign(new Writable(), { isTTY: true, columns }), () => undefined).columns;
  expect([columnsOf(0), columnsOf(80)]).toEqual([undefined, 80]);
});

test('a reader that takes nothing does not delay the end of the command', async () => {
  const stop = new AbortController();
  const stream = new Writable({ write: () => undefined, highWaterMark: 1 });
  const output = createOutput(stream, () => undefined, stop.signal);
  const stalled = output.write('x'.repeat(100_000));
  stop.abort();
  await stalled;
  await output.write('the last words');
  await output.flush();
  expect(stream.writableNeedDrain).toBe(true);
});

test('a declaration that is exported under several names is found by each name, and counts once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'api.mjs');
  const source = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
  await writeFile(
    file,
    `import { defineApi } from ${JSON.stringify(source)};
const ordering = defineApi({ name: 'ordering', version: 1, auth: 'basic', collections: {} });
export { ordering, ordering as alias };
export default ordering;
`,
  );
  const { signal } = new AbortController();
  const [api, ...others] = await loadEvery(file, undefined, signal);
  expect(others).toEqual([]);
  for (const name of ['alias', 'default', 'ordering', undefined])
    expect(await loadApi(file, name, signal)).toBe(api);
});
