import type { Output } from '../io.ts';
import { collect, columnsOf, type FlatRow, flatten } from './flatten.ts';
import type { Format } from './format.ts';
import { printable } from './printable.ts';

const formatCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const formatLine = (cells: readonly string[]): string => `${cells.map(formatCell).join(',')}\r\n`;

const write = async (rows: readonly FlatRow[], out: Output): Promise<void> => {
  const columns = columnsOf(rows);
  if (columns.length === 0) return;
  // A file gets what the server said; a terminal would obey it.
  const toCell = out.isTerminal ? printable : (text: string) => text;
  await out.write(formatLine(columns.map(toCell)));
  for (const row of rows) await out.write(formatLine(columns.map((column) => toCell(row.get(column) ?? ''))));
};

/**
 * CSV with a header line. Its columns are those of all records, so it is written when the last one was read.
 *
 * A cell that begins with `=`, `+`, `-` or `@` stays as it is: a change would spoil negative numbers and phone numbers
 * for every other reader. A spreadsheet may run such a cell as a formula, so its columns are to be imported as text.
 *
 * @see RFC 4180
 */
export const csv: Format = {
  collects: true,
  one: (record, out) => write([flatten(record)], out),
  many: async (records, out) => write(await collect(records), out),
};
