import { encode } from 'zod/v4/core';
import type { DeclaredEndpoint } from '../../index.ts';
import { type ApiKey, type QueryKey, toKeyed, toParameters } from './key.ts';
import type { FetchContext, Written } from './options.ts';

/** What an endpoint or an action is called with, apart from an id and the options of a call. */
type Given = Readonly<Record<string, unknown>>;

type Call = (given: Given) => Promise<unknown>;

/** An action of the client: of an id, the body where one is declared, and the rest. */
type ActionCall = (id: unknown, ...given: readonly unknown[]) => Promise<unknown>;

/** Calls an action with its body among what it is given. */
type Act = (id: unknown, given: Given) => Promise<unknown>;

/** True for an endpoint that a query reads. */
export const isRead = ({ method }: DeclaredEndpoint): boolean => method === 'GET';

/**
 * False for a GET whose result is an unread `Response`: a cache shares what it holds, a body is read once.
 */
export const isCacheable = (endpoint: DeclaredEndpoint): boolean =>
  !isRead(endpoint) || endpoint.options.as !== 'response';

/** The function of an action, which takes its body apart where one is declared. */
export const toAct = (client: object, name: string, { options }: DeclaredEndpoint): Act => {
  const act = (client as Readonly<Record<string, unknown>>)[name] as ActionCall;
  if (options.body === undefined) return act;
  return (id, { body, ...given }) => act(id, body, given);
};

const parameterNamesOf = ({ path }: DeclaredEndpoint): readonly string[] =>
  path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));

/** A value of a query as a key holds it: a cache writes keys as JSON, which has no bigint. */
const toWritten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toWritten);
  return String(value instanceof Date ? value.toJSON() : value);
};

/** The `query` of an endpoint as it stands in the URL. */
const toWrittenQuery = ({ options }: DeclaredEndpoint, query: object): Given => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const written = ([name, value]: readonly [string, unknown]) => [name, toWritten(value)];
  try {
    // JSON has `{}` for many values of codecs.
    const encoded = options.query === undefined ? {} : encode(options.query, Object.fromEntries(given));
    return Object.fromEntries(Object.entries(encoded as object).map(written));
  } catch {
    // The client refuses them when the query runs.
    return Object.fromEntries(given.map(written));
  }
};

/** What an endpoint is called with, as a key holds it. */
const toKeyedGiven = (endpoint: DeclaredEndpoint, given: Given = {}): Given => {
  const inPath = parameterNamesOf(endpoint);
  const declared = ['query', 'fields', 'expand'].filter((name) => Object.hasOwn(endpoint.options, name));
  const keyed = Object.entries(toKeyed(given, [...inPath, ...declared]));
  const parameters = keyed.filter(([name]) => inPath.includes(name));
  const others = keyed
    .filter(([name]) => !inPath.includes(name))
    .map(([name, value]) => [name, name === 'query' ? toWrittenQuery(endpoint, Object(value)) : value]);
  return { ...toParameters(Object.fromEntries(parameters)), ...Object.fromEntries(others) };
};

// The client retries; retries of both would multiply.
const retry = false;

/** The query of a GET action, by the start of its key for a resource. */
export const createActionQuery =
  (kind: (name: string, id: unknown) => QueryKey, name: string, endpoint: DeclaredEndpoint, act: Act) =>
  (id: unknown, given?: Given) => ({
    queryKey: [...kind(name, id), toKeyedGiven(endpoint, given)],
    queryFn: async ({ signal }: FetchContext) => act(id, { ...given, signal }),
    retry,
  });

/** Makes the queries and mutations of the endpoints of an API. */
export const createEndpointQueries = (
  api: ApiKey,
  client: Readonly<Record<string, unknown>>,
  endpoints: Readonly<Record<string, DeclaredEndpoint>>,
): object => {
  const keyOf = (endpoint: string): QueryKey => [{ ...api, endpoint }];
  const declared = Object.entries(endpoints).filter(([, endpoint]) => isCacheable(endpoint));

  /** The keys of what is read at the path of an endpoint. */
  const keysAt = (changed: DeclaredEndpoint, given: Given): readonly QueryKey[] => {
    const inPath = parameterNamesOf(changed).map((name) => [name, given[name]]);
    return declared
      .filter(([, endpoint]) => isRead(endpoint) && endpoint.path === changed.path)
      .map(([name]) => [...keyOf(name), toParameters(Object.fromEntries(inPath))] as const);
  };

  const entries = declared.map(([name, endpoint]) => {
    const call = client[name] as Call;
    const query = (given?: Given) => ({
      queryKey: [...keyOf(name), toKeyedGiven(endpoint, given)],
      queryFn: async ({ signal }: FetchContext) => call({ ...given, signal }),
      retry,
    });
    const mutationFn = async (given: Given = {}): Promise<Written<unknown>> => ({
      result: await call(given),
      invalidates: keysAt(endpoint, given),
    });
    return [name, isRead(endpoint) ? query : () => ({ mutationKey: keyOf(name), mutationFn, retry })];
  });
  return Object.fromEntries(entries);
};
