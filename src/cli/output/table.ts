import stringWidth from 'string-width';
import { type Output, printable } from '../io.ts';
import { collect, columnsOf, type Format, flatten } from './formats.ts';

type Line = readonly string[];

const segmenter = new Intl.Segmenter();

/** The beginning of a string that fits, with an ellipsis where something is omitted. No character is cut in two. */
export const cut = (value: string, width: number): string => {
  if (stringWidth(value) <= width) return value;
  let taken = '';
  let used = 0;
  for (const { segment } of segmenter.segment(value)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    taken += segment;
  }
  return `${taken}…`;
};

const gap = '  ';
// Columns never get narrower than this. Columns that then do not fit are omitted.
const leastWidth = 16;

const totalOf = (widths: readonly number[], most: number): number =>
  widths.reduce((sum, width) => sum + Math.min(width, most), 0) + gap.length * Math.max(0, widths.length - 1);

/** The largest width of a column with which all columns fit. The widest columns shrink first. */
const mostOf = (widths: readonly number[], available: number): number => {
  let most = Math.min(available, Math.max(0, ...widths));
  while (most > leastWidth && totalOf(widths, most) > available) most--;
  return most;
};

/** The widths of the first columns, as many as fit. */
const fitInto = (widths: readonly number[], available: number): readonly number[] => {
  const fits = (kept: readonly number[], room: number): boolean => totalOf(kept, leastWidth) <= room;
  // An ellipsis stands for columns that are omitted.
  const room = fits(widths, available) ? available : Math.max(1, available - gap.length - 1);
  let kept = widths;
  while (kept.length > 1 && !fits(kept, room)) kept = kept.slice(0, -1);
  const most = mostOf(kept, room);
  return kept.map((width) => Math.min(width, most));
};

const pad = (cell: string, width: number, toRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return toRight ? space + cell : cell + space;
};

const isNumber = (cell: string): boolean => /^-?\d+(?:\.\d+)?$/.test(cell);

/**
 * Aligns lines of cells without control characters. Numbers are aligned to the right.
 *
 * @param available - the width to fit into; unbounded when it is undefined
 */
export const layOut = (
  lines: readonly Line[],
  available: number | undefined,
  header?: Line,
): readonly string[] => {
  const all = header === undefined ? lines : [header, ...lines];
  const count = Math.max(0, ...all.map((line) => line.length));
  const columns = Array.from({ length: count }, (_, index) => index);
  const widths = columns.map((index) =>
    all.reduce((most, line) => Math.max(most, stringWidth(line[index] ?? '')), 0),
  );
  const fitted = available === undefined ? widths : fitInto(widths, available);
  const rest = fitted.length < widths.length ? `${gap}…` : '';
  const toRight = columns.map(
    (index) =>
      header !== undefined && lines.every((line) => line[index] === '' || isNumber(line[index] ?? '')),
  );
  const format = (line: Line): string =>
    (
      fitted
        .map((width, index) => pad(cut(line[index] ?? '', width), width, toRight[index] === true))
        .join(gap) + rest
    ).trimEnd();
  const rule = fitted.map((width) => '-'.repeat(width)).join(gap);
  return header === undefined ? lines.map(format) : [format(header), rule, ...lines.map(format)];
};

const isSelf = (column: string): boolean => column === 'self' || column.endsWith('.self');

const writeLines = (lines: readonly string[], out: Output): Promise<void> =>
  out.write(lines.map((line) => `${line}\n`).join(''));

/**
 * A table for people: a line per record, or for one resource a line per field. It fits the terminal: an ellipsis ends a
 * cell that is cut, and stands for columns that are omitted. Control characters are escaped.
 */
export const table: Format = {
  collects: true,
  one: async (record, out) => {
    const rows = [...flatten(record)].map(([path, cell]) => [printable(path), printable(cell)]);
    await writeLines(layOut(rows, out.columns), out);
  },
  many: async (records, out) => {
    const rows = await collect(records);
    // Links are long and say little. They come last, where a narrow terminal omits columns.
    const columns = columnsOf(rows).toSorted((a, b) => Number(isSelf(a)) - Number(isSelf(b)));
    if (columns.length === 0) return;
    const cells = rows.map((row) => columns.map((column) => printable(row.get(column) ?? '')));
    const header = columns.map(printable);
    await writeLines(layOut(cells, out.columns, header), out);
  },
};
