import { type Operation, operations, type QueryParameter, queryParameters } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { checkQuery, noQuery } from '../query/query.ts';
import { type NoOtherKeys, shapeOf } from '../query/shape.ts';
import type {
  BodySchemas,
  BulkOptions,
  Collection,
  CollectionOptions,
  DeclaredCollection,
  PagingOptions,
} from './collection.ts';

/** Names of the schemes of §5 and of `customAuth`; a client may give its schemes other names. */
export type AuthName = 'token' | 'basic' | 'custom' | (string & {});

/** At most so many requests in any window of time; what is above waits. */
export interface RateLimit {
  /** How many requests may begin in one window. */
  readonly requests: number;
  /** Length of the window, in milliseconds. */
  readonly perMs: number;
}

/** An API of the family, as data. */
export interface ApiDeclaration {
  /** Names the API in events and error messages. */
  readonly name: string;
  /** Major version, in the path as `/v<major>/` (§9). */
  readonly version: number;
  /** The scheme the API takes (§5), or several in the order of preference. */
  readonly auth: AuthName | readonly AuthName[];
  /** By the name that the client and the mock call each of them. */
  readonly collections: Readonly<Record<string, DeclaredCollection>>;
  /** What the API allows (§8), kept by each client on its own; no limit by default. */
  readonly rateLimit?: RateLimit | undefined;
}

const fail = (api: string, problem: string): never => {
  throw new InvalidRequestError(`API ${JSON.stringify(api)}: ${problem}`);
};

const segment = /^(?::[A-Za-z_]\w*|[A-Za-z0-9_~-][A-Za-z0-9._~-]*)$/;

type Names<T> = Readonly<Record<keyof T, true>>;

const optionNames: Names<CollectionOptions> = {
  sort: true,
  fields: true,
  expand: true,
  paging: true,
  operations: true,
  accepts: true,
  params: true,
  bodies: true,
  bulk: true,
  references: true,
};
const pagingNames: Names<PagingOptions> = { maxPerPage: true, defaultPerPage: true, totals: true };
const bulkNames: Names<BulkOptions> = { maxItems: true, maxBytes: true };
const bodyNames: Names<BodySchemas> = { create: true, replace: true, update: true };

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the compiler says of a misspelt option, for those that it was not asked for. */
const checkOptionNames = (options: CollectionOptions): string | undefined => {
  const { paging = true, bulk = {}, bodies = {} } = options;
  if (paging !== true && !isObject(paging)) return 'paging is true, or an object that says how it pages';
  const parts: readonly (readonly [prefix: string, part: unknown, names: object])[] = [
    ['', options, optionNames],
    ['paging.', paging === true ? {} : paging, pagingNames],
    ['bulk.', bulk, bulkNames],
    ['bodies.', bodies, bodyNames],
  ];
  for (const [prefix, part, names] of parts) {
    if (!isObject(part)) return `${prefix.slice(0, -1) || 'its options'} must be an object`;
    const unknown = Object.keys(part).find((name) => !Object.hasOwn(names, name));
    if (unknown !== undefined) return `it has no option ${JSON.stringify(prefix + unknown)}`;
  }
  return undefined;
};

const isWhole = (value: number | undefined): boolean =>
  value === undefined || (Number.isSafeInteger(value) && value >= 1);

const checkNumbers = ({ paging, bulk }: CollectionOptions): string | undefined => {
  if (![bulk?.maxItems, bulk?.maxBytes].every(isWhole)) return 'bulk limits are whole numbers from 1';
  const { maxPerPage, defaultPerPage } = typeof paging === 'object' ? paging : {};
  return [maxPerPage, defaultPerPage].every(isWhole)
    ? undefined
    : 'maxPerPage and defaultPerPage are whole numbers from 1';
};

const checkCollection = ({ path, resource, options }: Collection): string | undefined => {
  if (!path.split('/').every((part) => segment.test(part))) {
    return 'its path must be segments of letters, digits, ".", "_", "~", "-" or ":name", joined with "/"';
  }
  const unknown = options.operations?.find((name) => !operations.includes(name as Operation));
  if (unknown !== undefined) return `it has no operation ${JSON.stringify(unknown)}`;
  if (options.accepts?.some((name) => name !== 'create')) return "accepts can name 'create' alone";
  const wrong = checkOptionNames(options) ?? checkNumbers(options);
  if (wrong !== undefined) return wrong;
  const listed = (names: true | readonly string[] | undefined) => (names === true ? undefined : names);
  const problem = checkQuery(
    { ...noQuery, sort: listed(options.sort), fields: listed(options.fields), expand: options.expand },
    { resource, sort: true, fields: true, expand: options.expand },
  );
  if (problem !== undefined) return problem;
  const unreferred = checkQuery(
    { ...noQuery, fields: Object.keys(options.references ?? {}) },
    { resource, fields: true },
  );
  if (unreferred !== undefined) return `references: ${unreferred}`;
  const taken = Object.keys((options.params && shapeOf(options.params)) ?? {}).find((name) =>
    queryParameters.includes(name as QueryParameter),
  );
  return taken && `params cannot declare ${JSON.stringify(taken)}: the conventions use it (§4.4)`;
};

type CheckedRateLimit<A> = A extends { readonly rateLimit: infer L }
  ? { readonly rateLimit: NoOtherKeys<L, keyof RateLimit, 'rateLimit'> }
  : unknown;

/**
 * Declares an API once; `createClient` and `createMock` are made from it.
 *
 * @throws {@link InvalidRequestError} for a version that is not a whole number, a path that is not one, a name in
 * `sort`, `fields` or `expand` that the resource does not have, or an option of a collection that there is not
 * @example
 * ```ts
 * const ordering = defineApi({
 *   name: 'ordering', version: 1, auth: 'token',
 *   collections: { orders: collection('orders', Order, { paging: true }) },
 * });
 * ```
 */
export const defineApi = <const A extends ApiDeclaration>(
  declaration: A & NoOtherKeys<A, keyof ApiDeclaration, 'an API'> & CheckedRateLimit<A>,
): A => {
  const declared: ApiDeclaration = { rateLimit: undefined, ...declaration };
  const { name, version, auth, collections, rateLimit } = declared;
  if (typeof name !== 'string' || name === '') fail(String(name), 'it needs a name');
  if (!Number.isSafeInteger(version) || version < 0)
    fail(name, 'its version is a whole number: the major one (§9)');
  if (auth === undefined || auth.length === 0)
    fail(name, 'it names the scheme it takes, for example auth: "token" (§5)');
  if (rateLimit !== undefined) {
    const { requests, perMs, ...rest } = rateLimit;
    if (!Number.isSafeInteger(requests) || requests < 1 || !(perMs > 0) || Object.keys(rest).length > 0) {
      fail(name, 'rateLimit needs a whole number of requests from 1, perMs above 0, and nothing else');
    }
  }
  for (const [key, collection] of Object.entries(collections)) {
    const problem = checkCollection(collection);
    if (problem !== undefined) fail(name, `collection ${JSON.stringify(key)}: ${problem}`);
  }
  return Object.freeze({ rateLimit: undefined, ...declaration });
};
