import { isObject, toInvalidOption } from '../../src/options.ts';
import { fieldOf } from '../../src/schema/zod.ts';
import type { Collections, MockCollection } from '../collections/link.ts';
import { Refusal } from '../message.ts';
import type { MockOptions, ParameterFilters, RowFilter } from '../options.ts';
import type { Row } from '../rows/store.ts';
import { isForAnyValue } from './listed.ts';
import { isOwn, type OwnParameters } from './read-query.ts';

/**
 * The strings that a parameter and a field are compared by: the id of a relation, and every item of a list.
 */
const stringsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value instanceof Date) return [value.toISOString()];
  if (isObject(value)) return stringsOf(value.id);
  return value === undefined || value === null ? [] : [String(value)];
};

/** Whether a row has one of the values of a parameter in the field of that name. */
const hasValueOf = (row: Row, name: string, strings: readonly string[]): boolean =>
  stringsOf(row.value[name]).some((item) => strings.includes(item));

/** A name as code has it in an object: quoted if it is no identifier. */
const toMember = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/**
 * Tells which rows the own parameters of a list select: by the filter of the collection, by that of a
 * parameter, or by the field with the name of a parameter. There, `all` of an enum stands for any value.
 *
 * @throws {@link Refusal} 400 for a parameter without a filter and without a field: a test would get every row
 * and pass
 */
export const createSelector = (
  { key, resource, declaration }: Pick<MockCollection, 'key' | 'resource' | 'declaration'>,
  own: OwnParameters,
  filter: RowFilter | ParameterFilters = {},
): ((row: Row) => boolean) => {
  if (typeof filter === 'function') return (row) => filter(row.value, own.parsed);
  const { params } = declaration.options;
  const tests = Object.entries(own.sent).map(([name, sent]): ((row: Row) => boolean) => {
    const select = Object.hasOwn(filter, name) ? filter[name] : undefined;
    if (select !== undefined) return (row) => select(row.value, own.parsed[name]);
    const field = fieldOf(resource, name);
    if (field === undefined)
      throw new Refusal(
        400,
        `This mock does not know which rows the parameter ${JSON.stringify(name)} selects: "${key}" has no such field; give createMock a filter: { ${toMember(key)}: { ${toMember(name)}: (row, value) => … } }, or () => true if it selects none`,
      );
    if (isForAnyValue(sent, params && fieldOf(params, name), field)) return () => true;
    const strings = stringsOf(sent);
    return (row) => hasValueOf(row, name, strings);
  });
  return (row) => tests.every((test) => test(row));
};

/** @throws `InvalidRequestError` for a filter of a parameter that its collection does not declare */
export const checkFilters = ({ all }: Collections, filters: MockOptions['filter'] = {}): void => {
  for (const [key, filter] of Object.entries(filters))
    for (const name of Object.keys(isObject(filter) ? filter : {})) {
      const isDeclared = all.some(
        ({ key: one, declaration }) => one === key && isOwn(declaration.options.params, name),
      );
      if (!isDeclared)
        throw toInvalidOption(`createMock: filter.${key}.${name}: "${key}" declares no parameter "${name}"`);
    }
};
