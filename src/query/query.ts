import { listSeparator, queryParameters } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { conventionsWire } from '../families/conventions-wire.ts';
import type { QueryParts } from '../families/query.ts';
import type { Wire } from '../families/wire.ts';
import { isCount, isPlain, type OptionChecks } from '../options.ts';
import { encoderOf, parse, requireSynchronous } from '../schema/codec.ts';
import { type CollectionOptions, maxPerPageOf } from '../schema/collection.ts';
import { checkNames } from '../schema/field-paths.ts';
import type { Schema } from '../schema/types/shape.ts';
import { definitionOf, fieldsOf } from '../schema/zod.ts';

/** A query of §4.4 as data. */
export interface Query extends QueryParts {
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

/** What an endpoint declares for §4.4. */
export interface QueryRules
  extends Pick<CollectionOptions, 'sort' | 'fields' | 'paging' | 'params' | 'repeated'> {
  /** Name of the endpoint, for messages. */
  readonly name: string;
  readonly resource: Schema;
  /** How the API is spoken to; as the conventions say by default. */
  readonly wire?: Wire;
  readonly expand?: true | readonly string[];
}

const examples = { sort: 'true', fields: 'true', expand: '[...]', paging: 'true', params: 'z.object({...})' };

const problemOf = (name: keyof Query, value: unknown, rules: QueryRules): string | undefined => {
  const option = name === 'page' || name === 'perPage' ? 'paging' : name;
  if (rules[option] === undefined)
    return `\`${name}\` is not declared; add \`${option}: ${examples[option]}\` to its collection()`;
  if (option === 'params') return undefined;
  if (option !== 'paging') return checkNames(rules.resource, option, value, rules[option]);
  if (!isCount(value)) return `\`${name}\` must be an integer from 1`;
  const maxPerPage = maxPerPageOf(rules) ?? value;
  return name === 'perPage' && value > maxPerPage ? `\`perPage\` must be at most ${maxPerPage}` : undefined;
};

const checkedNames = [...queryParameters, 'params'] as const;

/**
 * @throws {@link InvalidRequestError} for a query that the endpoint does not support (§4.4), before anything
 * is sent
 */
export const checkQuery = (query: Query, rules: QueryRules): void => {
  for (const name of checkedNames) {
    const problem = query[name] === undefined ? undefined : problemOf(name, query[name], rules);
    if (problem !== undefined) throw new InvalidRequestError(`${rules.name}: ${problem}`);
  }
};

/**
 * An endpoint's own parameters as they are sent: checked, and with the defaults of their schema.
 *
 * @param option - what the caller gives them in
 * @param declarer - what declares them
 */
export const checkParameters = (
  schema: Schema,
  given: unknown,
  name: string,
  option: string,
  declarer: string,
): Readonly<Record<string, unknown>> => {
  requireSynchronous(schema);
  const fail = (problem: string): never => {
    throw new InvalidRequestError(`${name}: \`${option}\` ${problem}`);
  };
  const parameters = given === undefined ? {} : given;
  if (!isPlain(parameters)) return fail('must be a plain object');
  const declared = fieldsOf(schema) ?? {};
  const unknown = Object.keys(parameters).find((key) => !Object.hasOwn(declared, key));
  // A schema drops a misspelt parameter, and the list would be longer than intended.
  if (unknown !== undefined && definitionOf(schema).catchall === undefined)
    fail(`has no ${JSON.stringify(unknown)}; the ${declarer}() declares ${Object.keys(declared).join(', ')}`);
  const encode = (value: unknown): unknown => encoderOf(schema)(value, `${name}: ${option}`);
  const parsed = parse(schema, encode(parameters));
  if (parsed.ok) return encode(parsed.value) as Readonly<Record<string, unknown>>;
  const [issue] = parsed.issues;
  return fail(`does not match its declaration at \`${issue?.path}\`: ${issue?.message}`);
};

/** The query of a list with the parameters of {@link checkParameters}. */
export const withCheckedParams = ({ name, params }: QueryRules, query: Query): Query =>
  params === undefined
    ? query
    : { ...query, params: checkParameters(params, query.params, name, 'params', 'collection') };

/** A value that is no list, as it is written; undefined when it cannot be. */
const formatItem = (value: unknown): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  const isWritable = Number.isFinite(value) || /^(?:string|bigint|boolean)$/.test(typeof value);
  // An unpaired surrogate would be sent as another character.
  return isWritable && !/\p{Surrogate}/u.test(String(value)) ? String(value) : undefined;
};

/**
 * A value of an endpoint's own parameter; undefined when it cannot be written, as an array whose item has a
 * comma.
 */
const formatParameter = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return formatItem(value);
  const items = value.map(formatParameter);
  return items.some((item) => item?.includes(listSeparator) ?? true) ? undefined : items.join(listSeparator);
};

/** The values of a parameter, each written once; undefined when they cannot be written. */
const formatValues = (value: unknown, isRepeated: boolean): readonly string[] | undefined => {
  const values = isRepeated && Array.isArray(value) ? value.map(formatItem) : [formatParameter(value)];
  const written = values.filter((each) => each !== undefined);
  return written.length === values.length ? written : undefined;
};

/**
 * Appends an endpoint's own parameters.
 *
 * @param repeated - the names of lists that are sent as one parameter for each item
 * @throws {@link InvalidRequestError} for a value that cannot be written: without it, a list would return
 * more
 */
export const appendParameters = (
  written: URLSearchParams,
  owner: string,
  given: unknown = {},
  repeated: readonly string[] = [],
): void => {
  if (!isPlain(given)) throw new InvalidRequestError(`${owner} must be a plain object`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const isRepeated = repeated.includes(name);
    const values = formatValues(value, isRepeated);
    if (values?.length === 0)
      throw new InvalidRequestError(`${owner}.${name} is an empty array, which cannot be sent; leave it out`);
    if (values === undefined) {
      const items = isRepeated ? '' : ' whose items have no comma';
      throw new InvalidRequestError(
        `${owner}.${name} cannot be written in a query; give a string, a number, a boolean, a date, or an array of these${items}`,
      );
    }
    for (const each of values) written.append(name, each);
  }
};

/**
 * Writes the query string of a URL, in the order of §4.4.
 *
 * @param isList - whether it is that of a list: a family may have parameters that each list sends
 * @throws {@link InvalidRequestError}
 */
export const formatQuery = (
  query: Query,
  { wire = conventionsWire, repeated, resource }: Partial<QueryRules>,
  isList = false,
): string => {
  const written = new URLSearchParams();
  for (const [name, value] of wire.formatQuery(query, isList, resource)) written.append(name, value);
  appendParameters(written, 'params', query.params, repeated);
  return written.toString().replaceAll('+', wire.space);
};
