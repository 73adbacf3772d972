import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { isObject } from '../../options.ts';
import { printable, printableLines } from '../io.ts';

export type Row = Readonly<Record<string, unknown>>;

/** True for an object whose fields are cells. An instance of a class is one value, such as a Date. */
export const isRow = (value: unknown): value is Row =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** JSON with a bigint, which JSON has no type for, as a string of its digits. */
export const toJson = (value: unknown, indent = 0): string =>
  printableLines(
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner), indent),
  );

const toText = (value: unknown): string => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  return typeof value === 'object' && value !== null ? toJson(value) : String(value);
};

/** The cells of a record; the fields of nested objects have dotted paths (§2.1). */
const toCells = (record: Row, prefix = ''): readonly (readonly [path: string, cell: unknown])[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (isRow(value)) return toCells(value, `${prefix}${name}.`);
    // `console.table` would quote a string.
    return [[prefix + name, { [inspect.custom]: () => printable(toText(value)) }]];
  });

/** The column of indexes, which `console.table` puts before the others. */
const indexColumn = /^([┌├└│])[^┬┼┴│]*[┬┼┴│]/gm;

/** What `console.table` makes of records, without their indexes. */
export const formatTable = (rows: readonly Row[]): string => {
  let table = '';
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      table += String(chunk);
      done();
    },
  });
  const cells = rows.map((row) => Object.fromEntries(toCells(row)));
  new Console({ stdout, colorMode: false }).table(cells);
  return printableLines(table.replace(indexColumn, '$1'));
};
