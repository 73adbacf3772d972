import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { isObject } from '../../options.ts';
import { type Io, type Output, printable, toUnicodeEscapes } from '../io.ts';

export type Row = Readonly<Record<string, unknown>>;

// JSON.stringify leaves these as they are. A terminal obeys the first ones; the last two end a line in some readers.
const controls = /[\x7f-\x9f\u2028\u2029]/g;

/** JSON with a bigint, which JSON has no type for, as a string of its digits. */
export const toJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner), indent).replace(
    controls,
    toUnicodeEscapes,
  );

const toCell = (value: unknown): unknown => {
  if (typeof value === 'string') return printable(value);
  return typeof value === 'object' && value !== null ? printable(toJson(value)) : value;
};

/** The cells of a record; the fields of nested objects have dotted paths (§2.1). */
const toCells = (record: Row, prefix = ''): readonly (readonly [path: string, cell: unknown])[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isObject(value) && !(value instanceof Date)
      ? toCells(value, `${prefix}${name}.`)
      : [[printable(prefix + name), toCell(value)]],
  );

/** What `console.table` makes of records. */
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
  return table;
};

/** Writes a table on a terminal, when the last record is read; elsewhere a line of JSON for each record, as it is read. */
export const writeRecords = async (
  records: AsyncIterable<Row> | readonly Row[],
  { out }: Io,
): Promise<void> => {
  const rows: Row[] = [];
  for await (const record of records) {
    if (out.isTerminal) rows.push(record);
    else await out.write(`${toJson(record)}\n`);
  }
  if (out.isTerminal) await out.write(formatTable(rows));
};

/** A line on a terminal that is rewritten in place; elsewhere nothing is written. */
export const createStatusLine = (err: Output) => {
  let width = 0;
  const show = (status: string): void => {
    if (!err.isTerminal) return;
    err.say(`\r${status.padEnd(width)}`);
    width = status.length;
  };
  return {
    show,
    /** Erases the line, before something else is written to the terminal. */
    clear: (): void => {
      if (width === 0) return;
      show('');
      err.say('\r');
    },
  };
};
