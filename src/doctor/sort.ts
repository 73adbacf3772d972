import { descendingPrefix, listSeparator } from '../conventions.ts';
import { kindOf } from '../schema/zod.ts';
import { allows, isTimestamp, namedPlaces, type Place, valuesAt } from './data.ts';
import type { Json } from './exchange.ts';
import { demand, some } from './judgement.ts';
import type { Subject } from './subject.ts';

/** A field to sort by. */
interface Field {
  readonly path: string;
  readonly values: ReadonlySet<unknown>;
  /** False for a string: the conventions name no collation, so that each server may have its own order. */
  readonly isOrderable: boolean;
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isOrderable = ({ schema }: Place): boolean =>
  kindOf(schema) === 'number' || kindOf(schema) === 'int' || isTimestamp(schema);

/** The fields with several values that can be sorted by. */
const sortableFields = (
  { resource, options: { sort } }: Subject,
  records: readonly Json[],
): readonly Field[] => {
  const places = namedPlaces(resource, records).filter(({ value }) => value !== null && value !== undefined);
  return [...new Set(places.map(({ path }) => path))].flatMap((path) => {
    const own = places.filter((place) => place.path === path);
    const values = new Set(own.map(({ value }) => value));
    const isSortable = allows(sort, path) && values.size > 1 && [...values].every(isScalar);
    return isSortable ? [{ path, values, isOrderable: own.every(isOrderable) }] : [];
  });
};

/** A field of `sort`, with its direction. */
interface Key extends Pick<Field, 'path' | 'isOrderable'> {
  readonly isDescending: boolean;
}

const toNumber = (value: unknown): number => {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
};

/** Whether a record may stand before another one. */
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
  const isOrdered = ordered.every((record, index) => {
    const before = ordered[index - 1];
    return before === undefined || mayPrecede(before, record, keys);
  });
  const ids = ordered.slice(0, 8).map(({ id }) => String(id));
  demand(isOrdered, exchange, `the order of \`sort=${sort}\``, `another one, of the ids ${ids.join(', ')}`);
};

const mostSorted = 3;

/** Judges §4.4 sort: by up to three fields in both directions, by two fields, and by an unknown one. */
export const checkSort = async (subject: Subject): Promise<void> => {
  const fields = sortableFields(subject, (await subject.firstRecords()).records);
  // `id` is the last one, because a server may order by it without `sort`.
  const byId = fields.toSorted((a, b) => Number(a.path === 'id') - Number(b.path === 'id'));
  const ordered = some(
    byId.filter(({ isOrderable }) => isOrderable),
    'no number or timestamp that can be sorted on has several values on the first page',
  );
  const [fewest] = fields.toSorted((a, b) => a.values.size - b.values.size);
  for (const isDescending of [false, true]) {
    for (const field of ordered.slice(0, mostSorted))
      await demandOrder(subject, [{ ...field, isDescending }]);
    const last = ordered.at(-1);
    if (fewest !== undefined && last !== undefined && fewest.path !== last.path)
      await demandOrder(subject, [
        { ...fewest, isDescending: false },
        { ...last, isDescending },
      ]);
  }
  await subject.demandRefused({ sort: 'restkinDoctorNone' }, 'a field that cannot be sorted on');
};
