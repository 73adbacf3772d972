import { below } from '../../src/schema/codec.ts';

/** A problem with the field that has it; a path is empty for the value as a whole. */
export const atPath = (path: string, problem: string): string =>
  path === '' ? problem : `${path}: ${problem}`;

/** Refuses a value that JSON does not have; the path is dotted. */
type Refuse = (path: string, problem: string) => never;

const advice = 'write it in the form that goes over the wire';

/** What a value is, if JSON does not have it. */
const unsendableKind = (value: unknown): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid Date' : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value === 'bigint') return 'BigInt';
  if (typeof value !== 'object') return /^(?:string|boolean)$/.test(typeof value) ? undefined : typeof value;
  // Object or Array, or the name of a built-in class: Map, Set, Promise, Uint8Array.
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return /^(?:Object|Array|Null)$/.test(kind) ? undefined : kind;
};

const hasToJson = (value: unknown): value is { toJSON(): unknown } =>
  typeof Object(value).toJSON === 'function';

/** @param around - the objects that the value is inside of */
const copy = (value: unknown, refuse: Refuse, path: string, around: readonly unknown[]): unknown => {
  const sent = hasToJson(value) && unsendableKind(value) !== 'invalid Date' ? value.toJSON() : value;
  const kind = unsendableKind(sent);
  if (kind !== undefined) return refuse(path, `JSON has no ${kind}; ${advice}`);
  if (typeof sent !== 'object' || sent === null) return sent;
  if (around.includes(sent)) return refuse(path, 'it contains itself, which JSON does not have');
  const inside = [...around, sent];
  if (Array.isArray(sent))
    return Array.from(sent, (item, index) => copy(item, refuse, below(path, index), inside));
  const entries = Object.entries(sent).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, copy(inner, refuse, below(path, name), inside)]),
  );
};

/**
 * A deep copy of a value as JSON has it: a Date is its ISO 8601 string, and a field that is undefined is left
 * out.
 *
 * @param refuse - is called for the first value that JSON would change or drop silently
 */
export const toJson = (value: unknown, refuse: Refuse): unknown => copy(value, refuse, '', []);
