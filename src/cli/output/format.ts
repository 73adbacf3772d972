import type { Output } from '../io.ts';

/** A record of the server. */
export type Row = Readonly<Record<string, unknown>>;

/** A way to write records. */
export interface Format {
  /** True when nothing is written before the last record was read. */
  readonly collects: boolean;
  one(record: Row, out: Output): Promise<void>;
  many(records: AsyncIterable<Row>, out: Output): Promise<void>;
}
