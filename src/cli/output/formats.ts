import { type Output, printable, toUnicodeEscapes } from '../io.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A way to write records. */
export interface Format {
  /** True when nothing is written before the last record is read. */
  readonly collects: boolean;
  one(record: Row, out: Output): Promise<void>;
  many(records: AsyncIterable<Row>, out: Output): Promise<void>;
}

/** A record with one string per dotted path. */
type FlatRow = ReadonlyMap<string, string>;

/** A bigint, which JSON has no type for, is written as a string of its digits. */
const replaceBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value, replaceBigint) : String(value);
};

const isNested = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const flattenInto = (into: Map<string, string>, record: Row, prefix: string): void => {
  for (const [name, value] of Object.entries(record)) {
    const path = prefix + name;
    if (isNested(value) && Object.keys(value).length > 0) flattenInto(into, value, `${path}.`);
    else into.set(path, toCell(value));
  }
};

/** Writes nested objects as dotted paths (§2.1). A list stays one value, as JSON, because its length varies. */
export const flatten = (record: Row): FlatRow => {
  const into = new Map<string, string>();
  flattenInto(into, record, '');
  return into;
};

/** Every path of the records, in the order of their first appearance. */
export const columnsOf = (rows: readonly FlatRow[]): readonly string[] => {
  const columns = new Set<string>();
  for (const row of rows) for (const path of row.keys()) columns.add(path);
  return [...columns];
};

export const collect = async (records: AsyncIterable<Row>): Promise<readonly FlatRow[]> => {
  const rows: FlatRow[] = [];
  for await (const record of records) rows.push(flatten(record));
  return rows;
};

// JSON.stringify leaves these control characters as they are, and a terminal obeys them. The last two end a line in some
// readers.
const controls = /[\x7f-\x9f\u2028\u2029]/g;

const stringify = (value: unknown, indent: number): string =>
  JSON.stringify(value, replaceBigint, indent).replace(controls, toUnicodeEscapes);

/** JSON: an array for a list, written as it is read, and an object for one resource. */
export const json: Format = {
  collects: false,
  one: (record, out) => out.write(`${stringify(record, 2)}\n`),
  many: async (records, out) => {
    let before = '[\n  ';
    for await (const record of records) {
      await out.write(`${before}${stringify(record, 2).replaceAll('\n', '\n  ')}`);
      before = ',\n  ';
    }
    await out.write(before === '[\n  ' ? '[]\n' : '\n]\n');
  },
};

/** A line of JSON for each record, written as it is read: memory does not grow with the list. */
export const ndjson: Format = {
  collects: false,
  one: (record, out) => out.write(`${stringify(record, 0)}\n`),
  many: async (records, out) => {
    for await (const record of records) await out.write(`${stringify(record, 0)}\n`);
  },
};

const writeCsv = async (rows: readonly FlatRow[], out: Output): Promise<void> => {
  const columns = columnsOf(rows);
  if (columns.length === 0) return;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  // A file gets what the server sent. A terminal would obey its control characters.
  const cells = out.isTerminal ? lines.map((line) => line.map(printable)) : lines;
  const { stringify: toCsv } = await import('csv-stringify/sync');
  // Also quotes a lone CR or LF, because lines end with both.
  await out.write(toCsv(cells, { record_delimiter: 'windows', quoted_match: /[\r\n]/ }));
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
  one: (record, out) => writeCsv([flatten(record)], out),
  many: async (records, out) => writeCsv(await collect(records), out),
};
