import { describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import type { Format, Row } from '../../src/cli/output/formats.ts';
import { csv, json, ndjson } from '../../src/cli/output/formats.ts';
import { table } from '../../src/cli/output/table.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { createSurroundings } from './surroundings.ts';

async function* listOf(rows: readonly Row[]): AsyncGenerator<Row, void, undefined> {
  yield* rows;
}

const written = async (work: (io: Io) => Promise<void>, isTTY = false) => {
  const { io, out, err } = createSurroundings({}, { isTTY });
  await work(io);
  await io.out.flush();
  await io.err.flush();
  return { out: out(), err: err() };
};

const many = async (format: Format, rows: readonly Row[], isTTY = false): Promise<string> =>
  (await written((io) => format.many(listOf(rows), io.out), isTTY)).out;

describe('json', () => {
  test('escapes the control characters that JSON allows, without changing a value', async () => {
    const rows = [{ id: 1, text: 'a\u007f\u009b31m' }];
    for (const format of [json, ndjson]) {
      const text = await many(format, rows);
      expect(text).toContain('a\\u007f\\u009b31m');
      expect([JSON.parse(text)].flat()).toEqual(rows);
    }
  });

  test('writes the results of codecs: a date as ISO 8601, a bigint as its digits', async () => {
    const row = { id: 2n ** 64n, at: new Date(0) };
    const text = '{"id":"18446744073709551616","at":"1970-01-01T00:00:00.000Z"}\n';
    expect(await many(ndjson, [row])).toBe(text);
    expect(await many(csv, [row])).toBe('id,at\r\n18446744073709551616,1970-01-01T00:00:00.000Z\r\n');
  });

  test('writes each record before the next one is read', async () => {
    for (const format of [json, ndjson]) {
      const seen: string[] = [];
      await written(async (io) => {
        const out = { ...io.out, write: async (text: string) => void seen.push(text) };
        const rows = async function* () {
          yield { id: 1 };
          seen.push('second asked for');
          yield { id: 2 };
        };
        await format.many(rows(), out);
      });
      expect(seen[0]).toContain('1');
      expect(seen[1]).toBe('second asked for');
    }
  });
});

describe('csv', () => {
  test('a nested object that is empty, a list and a null are one cell each', async () => {
    const text = await many(csv, [{ id: 1, a: {}, b: [1, { c: 2 }], d: null, e: { f: true } }]);
    expect(text).toBe('id,a,b,d,e.f\r\n1,{},"[1,{""c"":2}]",,true\r\n');
  });

  test('of no records is empty', async () => {
    expect(await many(csv, [])).toBe('');
  });

  test('has no control character on a terminal either', async () => {
    expect(await many(csv, [{ id: '\u001b[2J' }], true)).toBe('id\r\n\\u001b[2J\r\n');
  });
});

describe('table', () => {
  test('field names of the server are escaped as well', async () => {
    const row = { 'a\u001b[2J': { 'b\n': 1 } };
    expect(await many(table, [row])).toContain('a\\u001b[2J.b\\n\n');
    expect((await written((io) => table.one(row, io.out))).out).toBe('a\\u001b[2J.b\\n  1\n');
  });
});

describe('progress', () => {
  const page = { pages: 1, records: 25, totalPages: 2, totalCount: 30 };

  test('is a line on a terminal, erased before the records, with the total after them', async () => {
    const { err } = await written(async (io) => {
      const progress = createProgress(io, table, false);
      progress.onPage(page);
      progress.onPage({ ...page, pages: 2, records: 30 });
      await progress.clear();
      await io.err.write('|');
      await progress.end(30);
    }, true);
    const line = 'page 2, 30 of 30 records';
    expect(err).toBe(`\rpage 1, 25 of 30 records\r${line}\r${' '.repeat(line.length)}\r|30 of 30 records\n`);
  });

  test('says how to get the rest', async () => {
    const { err } = await written(async (io) => {
      const progress = createProgress(io, ndjson, false);
      progress.onPage(page);
      await progress.end(25);
    }, true);
    expect(err).toBe('25 of 30 records; --all reads every one\n');
  });

  test('is silent where stderr is not a terminal', async () => {
    const { err } = await written(async (io) => {
      const progress = createProgress(io, table, false);
      progress.onPage(page);
      await progress.clear();
      await progress.end(25);
    });
    expect(err).toBe('');
  });
});
