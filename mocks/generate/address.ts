// Values of the fields, besides the id, that are in the paths of resources.
import { fieldOf } from '../../src/schema/zod.ts';
import type { Collections, MockCollection } from '../collections/link.ts';
import { numberOf, toId } from '../rows/id.ts';
import { generateValue } from './value.ts';
import { contextOfField, makeUntilFits, type ValueContext } from './value-context.ts';

/** What the rows of a table have in one field. */
interface Taken {
  has(value: unknown): boolean;
  add(value: unknown): void;
  /** The highest number. */
  highest(): number;
}

const createTaken = (): Taken => {
  const values = new Set<string>();
  let highest = 0;
  return {
    has: (value) => values.has(String(value)),
    add: (value) => {
      values.add(String(value));
      highest = Math.max(highest, numberOf(value));
    },
    highest: () => highest,
  };
};

/** What the rows of a table have in each field, besides the id, that is in their paths. */
export type TakenAddresses = ReadonlyMap<string, Taken>;

/** Several collections may show the rows of a table, each with a `key` of its own. */
export const takenAddresses = ({ table }: MockCollection, { all }: Collections): TakenAddresses => {
  const names = all.filter((one) => one.table === table).map(({ keyField }) => keyField);
  const taken = new Map(names.filter((name) => name !== 'id').map((name) => [name, createTaken()]));
  for (const { value } of table.rows.values()) for (const [name, of] of taken) of.add(value[name]);
  return taken;
};

/** A path would be another one with these. */
const unusable: ReadonlySet<unknown> = new Set([undefined, null, '', '.', '..']);

/** A value that no row has: the next number, or else a generated value. */
const generateAddress = (
  { resource }: MockCollection,
  name: string,
  taken: Taken,
  context: ValueContext,
): unknown => {
  const field = fieldOf(resource, name) ?? resource;
  const make = (own: ValueContext): unknown => {
    const number = toId(taken.highest() + 1 + own.attempt, field);
    if (typeof number === 'number') return number;
    return generateValue(field, { ...own, isRequired: true });
  };
  return makeUntilFits(contextOfField(context, name), make, (made) => {
    const isFree = !unusable.has(made) && !taken.has(made);
    return isFree ? undefined : { path: name, reason: 'no other value can be generated for the `key`' };
  });
};

/** A value for each field that is in the path of a new row, unless it is given. */
export const generateAddresses = (
  collection: MockCollection,
  taken: TakenAddresses,
  isGiven: (name: string) => boolean,
  context: ValueContext,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Array.from(taken).flatMap(([name, of]) =>
      isGiven(name) ? [] : [[name, generateAddress(collection, name, of, context)]],
    ),
  );
