import { InvalidRequestError } from '../errors/request-error.ts';
import { checkQuery, formatQuery, noQuery, type Query, type QueryRules } from '../query/query.ts';
import type { ItemList, ListOptions } from './item-list.ts';

/** A query under construction, without the types of its collection. */
export interface AnyQueryBuilder {
  readonly value: Query;
  toString(): string;
  list(options?: ListOptions): ItemList<unknown>;
}

/** Runs a query with the options of a call. */
type RunList = (request: Query & ListOptions) => ItemList<unknown>;

/**
 * Builds the object form of a query. Each step returns another builder, and a step that the collection does not declare
 * does not exist.
 */
export const createQueryBuilder = (value: Query, rules: QueryRules, run: RunList): AnyQueryBuilder => {
  const query = { ...noQuery, ...value };
  const problem = checkQuery(query, rules);
  if (problem !== undefined) throw new InvalidRequestError(problem);
  const step =
    <K extends keyof Query>(name: K) =>
    (given: Query[K]): AnyQueryBuilder =>
      createQueryBuilder({ ...value, [name]: given }, rules, run);
  const names =
    (name: 'sort' | 'fields' | 'expand') =>
    (...given: readonly string[]): AnyQueryBuilder =>
      step(name)(given);
  return Object.freeze({
    value,
    toString: () => formatQuery(query),
    list: (options?: ListOptions) => run({ ...options, ...value }),
    ...(rules.sort === undefined ? {} : { sort: names('sort') }),
    ...(rules.fields === undefined ? {} : { fields: names('fields') }),
    ...(rules.expand === undefined ? {} : { expand: names('expand') }),
    ...(rules.paging === undefined ? {} : { page: step('page'), perPage: step('perPage') }),
    ...(rules.params === undefined ? {} : { params: step('params') }),
  });
};
