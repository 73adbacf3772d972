import type { Format } from './records.ts';

/** A bigint, which JSON has no type for, is written as a string of its digits. */
const replace = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

// A terminal obeys these control characters, too, which JSON.stringify leaves as they are. The last two end a line in
// some readers.
const controls = /[\x7f-\x9f\u2028\u2029]/g;

const stringify = (value: unknown, indent: number): string =>
  JSON.stringify(value, replace, indent).replace(
    controls,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

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
