import { descendingPrefix, listSeparator, pathSeparator } from '../conventions.ts';
import { isObject } from '../options.ts';
import { below } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, elementOf, fieldsOf, innerOf, kindOf, targetOf } from '../schema/zod.ts';
import { isTimestamp } from './data.ts';
import type { Json } from './exchange.ts';
import { demand, type Listed, some } from './judgement.ts';
import type { Subject } from './subject.ts';

/** The value at a dotted path; of a list, that of its first item that has one. */
export const valueAt = (value: unknown, path: string): unknown => {
  let at = value;
  for (const name of path.split(pathSeparator)) {
    if (Array.isArray(at)) at = at.find(isObject);
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
};

const valuesAt = (records: readonly Json[], path: string): readonly unknown[] =>
  records.map((record) => valueAt(record, path));

/** A field with its path. Fields of a nested object are included, those of a list or a reference are not. */
interface Field {
  readonly path: string;
  readonly schema: Schema;
}

const isList = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return elementOf(schema) !== undefined || (inner !== undefined && isList(inner));
};

/** The fields of a resource. */
export const fieldsBelow = (schema: Schema, path = ''): readonly Field[] =>
  Object.entries(fieldsOf(schema) ?? {}).flatMap(([name, field]) => {
    const own = below(path, name);
    const core = coreOf(field);
    const isPlain = kindOf(core) === 'object' && targetOf(core) === undefined && !isList(field);
    return isPlain && path === '' ? fieldsBelow(core, own) : [{ path: own, schema: core }];
  });

/** Whether an option names a field. */
export const allows = (declared: true | readonly string[], path: string): boolean =>
  declared === true || declared.includes(path);

/** True for a field whose order is the same for every server: the conventions name no collation for strings. */
const isOrderable = ({ schema }: Field): boolean =>
  kindOf(schema) === 'number' || kindOf(schema) === 'int' || isTimestamp(schema);

const toNumber = (value: unknown): number => {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
};

/** Whether values are in order, with the nulls first or last: the conventions do not say where. */
const isOrdered = (values: readonly unknown[], descending: boolean): boolean => {
  const found = values.filter((value) => value !== undefined);
  const present = found.filter((value) => value !== null);
  const areNullsApart =
    found.slice(0, present.length).every((value) => value !== null) ||
    found.slice(found.length - present.length).every((value) => value !== null);
  const numbers = present.map(toNumber);
  const ordered = numbers.toSorted((a, b) => (descending ? b - a : a - b));
  return areNullsApart && numbers.every((number, index) => number === ordered[index]);
};

const scalars: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean']);

const sortable = (
  { resource, options: { sort = [] } }: Subject,
  records: readonly Json[],
): readonly Field[] =>
  fieldsBelow(resource).filter(({ path }) => {
    const values = valuesAt(records, path).filter((value) => value !== null && value !== undefined);
    const isScalar = values.every((value) => scalars.has(typeof value));
    return allows(sort, path) && !path.endsWith('self') && isScalar && new Set(values).size > 1;
  });

const mostSorted = 3;

/** The first page in an order, with the second one if the list pages, because the order continues across pages. */
const sorted = async (subject: Subject, sort: string): Promise<Listed> => {
  const first = await subject.list({ sort });
  if (!subject.has('paging') || first.records.length === 0) return first;
  const second = await subject.list({ sort, page: 2 });
  const isNew = second.records.every(({ id }) => first.records.every((record) => record.id !== id));
  return isNew ? { ...first, records: [...first.records, ...second.records] } : first;
};

const demandOrder = async (subject: Subject, path: string, descending: boolean): Promise<void> => {
  const sort = `${descending ? descendingPrefix : ''}${path}`;
  const { exchange, records } = await sorted(subject, sort);
  const expected = `${descending ? 'descending' : 'ascending'} order of \`${path}\``;
  const ids = records.slice(0, 8).map(({ id }) => String(id));
  const found = `another order, of the ids ${ids.join(', ')}`;
  demand(isOrdered(valuesAt(records, path), descending), exchange, expected, found);
};

/** Several fields: the second one orders the records that are equal in the first. */
const demandSecondOrder = async (subject: Subject, records: readonly Json[], fields: readonly Field[]) => {
  const different = ({ path }: Field): number => new Set(valuesAt(records, path)).size;
  const byTies = fields.toSorted((a, b) => different(a) - different(b));
  const [first, second] = [byTies[0], byTies.findLast(isOrderable)];
  if (first === undefined || second === undefined || first === second) return;
  for (const prefix of ['', descendingPrefix]) {
    const { exchange, records: found } = await subject.list({
      sort: [first.path, `${prefix}${second.path}`].join(listSeparator),
    });
    const keys = valuesAt(found, first.path);
    const runs = keys.filter((key, index) => index === 0 || key !== keys[index - 1]);
    const before = `the order of \`${first.path}\` before that of \`${second.path}\``;
    demand(runs.length === new Set(runs).size, exchange, before, 'another order');
    const values = valuesAt(found, second.path);
    const tiedAt = (key: unknown): readonly unknown[] => values.filter((_, index) => keys[index] === key);
    const isKept = runs.every((key) => isOrdered(tiedAt(key), prefix !== ''));
    const expected = `\`${prefix}${second.path}\` orders the records with equal \`${first.path}\``;
    demand(isKept, exchange, expected, 'another order');
  }
};

/** Judges §4.4 sort: by up to three fields in both directions, by two fields, and by an unknown one. */
export const checkSort = async (subject: Subject): Promise<void> => {
  const records = await subject.someRecords();
  // `id` is the last one, because a server may order by it without `sort`.
  const fields = sortable(subject, records).toSorted(
    (a, b) => Number(a.path === 'id') - Number(b.path === 'id'),
  );
  const ordered = some(
    fields.filter(isOrderable),
    'no number or timestamp that can be sorted on has several values on the first page',
  );
  for (const { path } of ordered.slice(0, mostSorted)) {
    await demandOrder(subject, path, false);
    await demandOrder(subject, path, true);
  }
  await demandSecondOrder(subject, records, fields);
  await subject.demandRefused({ sort: 'restkinDoctorNone' }, 'a field that cannot be sorted on');
};
