// The values of a parameter, where a server writes those of a query otherwise in its links.
import { listSeparator } from '../conventions.ts';

/** PHP writes `ids[]` as `ids[0]`, and Rails the list `ids` as `ids[]`. */
const withoutIndex = (name: string): string => name.replace(/\[\d*\]$/, '');

/** A value; of a time, the same in each form and zone. */
const toComparable = (value: string): string => {
  const time = /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
};

/** The values of a parameter, whether each of them has one or all of them have one, in a form to compare. */
export const valuesOf = (query: URLSearchParams, name: string): readonly string[] =>
  [...query]
    .filter(([each]) => withoutIndex(each) === withoutIndex(name))
    .flatMap(([, value]) => value.split(listSeparator))
    .map(toComparable);
