import { descendingPrefix, listSeparator } from '../conventions.ts';
import { kindOf } from '../schema/zod.ts';
import { isTimestamp, namedPlaces, type Place, valuesAt } from './data.ts';
import type { Json } from './exchange.ts';
import { demand, some } from './judgement.ts';
import type { Subject } from './subject.ts';

interface Field {
  readonly path: string;
  readonly variety: number;
  /** False for a string: the conventions name no collation, so that each server may have its own order. */
  readonly isOrderable: boolean;
}

const isScalar = ({ value }: Place): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isOrderable = ({ schema }: Place): boolean =>
  kindOf(schema) === 'number' || kindOf(schema) === 'int' || isTimestamp(schema);

const sortableFields = (
  { resource, options: { sort } }: Subject,
  records: readonly Json[],
): readonly Field[] => {
  const places = namedPlaces(resource, records, sort).filter(({ value }) => (value ?? null) !== null);
  return [...new Set(places.map(({ path }) => path))].flatMap((path) => {
    const own = places.filter((place) => place.path === path);
    const variety = new Set(own.map(({ value }) => value)).size;
    return variety > 1 && own.every(isScalar) ? [{ path, variety, isOrderable: own.every(isOrderable) }] : [];
  });
};

interface Key extends Pick<Field, 'path' | 'isOrderable'> {
  readonly isDescending: boolean;
}

const toNumber = (value: unknown): number => {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
};

const mayPrecede = (one: Json, other: Json, keys: readonly Key[]): boolean => {
  for (const { path, isOrderable, isDescending } of keys) {
    const [[left], [right]] = [valuesAt(one, path), valuesAt(other, path)];
    if (left === right) continue;
    if (!isOrderable) return true;
    const difference = toNumber(left) - toNumber(right);
    if (difference !== 0) return difference < 0 !== isDescending;
  }
  return true;
};

/** Demands an order, which continues on the second page. The conventions do not say where nulls are, so these are left out. */
const demandOrder = async (subject: Subject, keys: readonly Key[]): Promise<void> => {
  const names = keys.map(({ path, isDescending }) => `${isDescending ? descendingPrefix : ''}${path}`);
  const sort = names.join(listSeparator);
  const { exchange, records: first } = await subject.list({ sort });
  const second = subject.has('paging') ? (await subject.list({ sort, page: 2 })).records : [];
  const more = second.filter(({ id }) => first.every((record) => record.id !== id));
  const ordered = [...first, ...more].filter((record) =>
    keys.every(({ path }) => valuesAt(record, path).some((value) => value !== null)),
  );
  const isOrdered = ordered
    .slice(1)
    .every((record, index) => mayPrecede(ordered[index] ?? record, record, keys));
  const ids = ordered.slice(0, 8).map(({ id }) => String(id));
  demand(isOrdered, exchange, `the order of \`sort=${sort}\``, `another one, of the ids ${ids.join(', ')}`);
};

const mostSorted = 3;

/** Judges §4.4 sort: by up to three fields in both directions, by two fields, and by an unknown one. */
export const checkSort = async (subject: Subject): Promise<void> => {
  const fields = sortableFields(subject, (await subject.firstRecords()).records);
  // `id` is the last one, because a server may order by it without `sort`.
  const ordered = some(
    fields
      .filter((field) => field.isOrderable)
      .toSorted((a, b) => Number(a.path === 'id') - Number(b.path === 'id')),
    'no number or timestamp that can be sorted on has several values on the first page',
  );
  const last = ordered.at(-1) ?? ordered[0];
  const fewest = fields.toSorted((a, b) => a.variety - b.variety)[0] ?? last;
  for (const isDescending of [false, true]) {
    const lastKey = { ...last, isDescending };
    for (const field of ordered.slice(0, mostSorted))
      await demandOrder(subject, [{ ...field, isDescending }]);
    if (fewest.path !== last.path) await demandOrder(subject, [{ ...fewest, isDescending: false }, lastKey]);
  }
  await subject.demandRefused({ sort: 'restkinDoctorNone' }, 'a field that cannot be sorted on');
};
