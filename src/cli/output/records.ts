import type { Output } from '../io.ts';

/** A record of the server. */
export type Row = Readonly<Record<string, unknown>>;

/** A way to write records. */
export interface Format {
  /** True when nothing is written before the last record is read. */
  readonly collects: boolean;
  one(record: Row, out: Output): Promise<void>;
  many(records: AsyncIterable<Row>, out: Output): Promise<void>;
}

/** A record with one string per dotted path. */
export type FlatRow = ReadonlyMap<string, string>;

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') {
    return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
  }
  return String(value);
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

/** All records, flattened. */
export const collect = async (records: AsyncIterable<Row>): Promise<readonly FlatRow[]> => {
  const rows: FlatRow[] = [];
  for await (const record of records) rows.push(flatten(record));
  return rows;
};
