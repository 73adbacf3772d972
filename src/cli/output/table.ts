import type { Output } from '../io.ts';
import { layOut } from './layout.ts';
import { printable } from './printable.ts';
import { collect, columnsOf, type Format, flatten } from './records.ts';

const isSelf = (column: string): boolean => column === 'self' || column.endsWith('.self');

/** Links are long and say little. They come last, where a narrow terminal omits columns. */
const selfLast = (columns: readonly string[]): readonly string[] => [
  ...columns.filter((column) => !isSelf(column)),
  ...columns.filter(isSelf),
];

const writeLines = async (lines: readonly string[], out: Output): Promise<void> => {
  for (const line of lines) await out.write(`${line}\n`);
};

/**
 * A table for people: a line per record, or for one resource a line per field. It fits the terminal: an ellipsis ends a
 * cell that is cut, and stands for columns that are omitted. Control characters are escaped.
 */
export const table: Format = {
  collects: true,
  one: async (record, out) => {
    const rows = [...flatten(record)].map(([path, cell]) => [printable(path), printable(cell)]);
    await writeLines(layOut([...rows], out.columns), out);
  },
  many: async (records, out) => {
    const rows = await collect(records);
    const columns = selfLast(columnsOf(rows));
    if (columns.length === 0) return;
    const cells = rows.map((row) => columns.map((column) => printable(row.get(column) ?? '')));
    const header = columns.map(printable);
    await writeLines(layOut(cells, out.columns, header), out);
  },
};
