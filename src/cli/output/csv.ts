import { stringify } from 'csv-stringify/sync';
import type { Output } from '../io.ts';
import { printable } from './printable.ts';
import { collect, columnsOf, type FlatRow, type Format, flatten } from './records.ts';

const write = async (rows: readonly FlatRow[], out: Output): Promise<void> => {
  const columns = columnsOf(rows);
  if (columns.length === 0) return;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  // A file gets what the server sent. A terminal would obey it.
  const cells = out.isTerminal ? lines.map((line) => line.map(printable)) : lines;
  // A single line break is quoted, too, where lines end with two characters.
  await out.write(stringify(cells, { record_delimiter: 'windows', quoted_match: /[\r\n]/ }));
};

/**
 * CSV with a header line. Its columns are those of all records, so it is written when the last one was read.
 *
 * A cell that begins with `=`, `+`, `-` or `@` stays as it is: a change would corrupt negative numbers and phone numbers
 * for every other reader. A spreadsheet may run such a cell as a formula, so its columns should be imported as text.
 *
 * @see RFC 4180
 */
export const csv: Format = {
  collects: true,
  one: (record, out) => write([flatten(record)], out),
  many: async (records, out) => write(await collect(records), out),
};
