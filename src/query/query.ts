import { descendingPrefix, listSeparator, queryParameters } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isCount, type OptionChecks } from '../options.ts';
import { checkNames } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';

/** A query of §4.4 as data. */
export interface Query {
  readonly sort?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly expand?: readonly string[] | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** The endpoint's own query parameters. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** {@link checkQuery} checks them, because what they may be depends on the endpoint. */
export const queryOptions: OptionChecks<Query> = {
  sort: undefined,
  fields: undefined,
  expand: undefined,
  page: undefined,
  perPage: undefined,
  params: undefined,
};

/** What an endpoint declares for §4.4: its resource, its parameters, and the names that each parameter takes. */
export interface QueryRules {
  /** Name of the endpoint, for messages. */
  readonly name: string;
  readonly resource: Schema;
  readonly sort?: true | readonly string[] | undefined;
  readonly fields?: true | readonly string[] | undefined;
  readonly expand?: true | readonly string[] | undefined;
  readonly paging?: true | { readonly maxPerPage?: number | undefined } | undefined;
  /** The schema of the endpoint's own parameters. */
  readonly params?: Schema | undefined;
}

const withoutDirection = (name: string): string => (name.startsWith(descendingPrefix) ? name.slice(1) : name);

const checkDeclared = (
  parameter: 'sort' | 'fields' | 'expand',
  { [parameter]: names }: Query,
  { [parameter]: allowed, resource }: QueryRules,
): string | undefined => {
  if (names === undefined) return undefined;
  if (allowed === undefined) {
    const value = parameter === 'expand' ? '[...]' : 'true';
    return `\`${parameter}\` is not declared; add \`${parameter}: ${value}\` to its collection()`;
  }
  const toPath = parameter === 'sort' ? withoutDirection : undefined;
  const problem = checkNames(resource, parameter, names, toPath);
  if (problem !== undefined || allowed === true) return problem;
  const paths = toPath ? names.map(toPath) : names;
  const undeclared = paths.find((path) => !allowed.includes(path));
  return (
    undeclared &&
    `\`${parameter}\` is not declared for the field "${undeclared}"; add it to \`${parameter}\` of its collection()`
  );
};

const checkPaging = (query: Query, paging: QueryRules['paging']): string | undefined => {
  const { page, perPage } = query;
  if (page === undefined && perPage === undefined) return undefined;
  if (paging === undefined) {
    const parameter = page === undefined ? 'perPage' : 'page';
    return `\`${parameter}\` is not declared; add \`paging: true\` to its collection()`;
  }
  if (page !== undefined && !isCount(page)) return '`page` must be an integer from 1';
  if (perPage === undefined) return undefined;
  if (!isCount(perPage)) return '`perPage` must be an integer from 1';
  const most = paging === true ? undefined : paging.maxPerPage;
  return most !== undefined && perPage > most ? `\`perPage\` must be at most ${most}` : undefined;
};

/** @throws {@link InvalidRequestError} for a query that the endpoint does not support (§4.4), before anything is sent */
export const checkQuery = (query: Query, rules: QueryRules): void => {
  const isUndeclared = query.params !== undefined && rules.params === undefined;
  const problem = isUndeclared
    ? '`params` is not declared; add `params: z.object({...})` to its collection()'
    : (checkDeclared('sort', query, rules) ??
      checkDeclared('fields', query, rules) ??
      checkDeclared('expand', query, rules) ??
      checkPaging(query, rules.paging));
  if (problem !== undefined) throw new InvalidRequestError(`${rules.name}: ${problem}`);
};

const formatScalar = (value: unknown): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  return /^(?:string|number|bigint|boolean)$/.test(typeof value) ? String(value) : undefined;
};

/** Formats a value of an endpoint's own parameter; undefined when it cannot be written, as an item with a comma. */
export const formatParameter = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return formatScalar(value);
  const items = value.map(formatScalar);
  return items.every((item) => item?.includes(listSeparator) === false)
    ? items.join(listSeparator)
    : undefined;
};

/** Writes the query string of a URL, in the order of §4.4. @throws {@link InvalidRequestError} */
export const formatQuery = (query: Query): string => {
  const parameters: [name: string, value: string][] = [];
  for (const name of queryParameters) {
    const value = query[name];
    if (value === undefined) continue;
    const written = typeof value === 'number' ? String(value) : value.join(listSeparator);
    if (written !== '') parameters.push([name, written]);
  }
  for (const [name, value] of Object.entries(query.params ?? {})) {
    if (value === undefined) continue;
    const written = formatParameter(value);
    if (written === undefined) {
      // Without it, a list would return more.
      throw new InvalidRequestError(
        `params.${name} cannot be written in a query; give a string, a number, a boolean, a date, or an array of these whose items have no comma`,
      );
    }
    parameters.push([name, written]);
  }
  return parameters.length === 0 ? '' : new URLSearchParams(parameters).toString();
};
