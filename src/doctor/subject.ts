import { header, jsonType, type Operation, paginationHeader, versionPrefix } from '../conventions.ts';
import type { HeaderFields } from '../http/message.ts';
import { encodeSegment, formatPath } from '../http/url.ts';
import type { Collection } from '../index.ts';
import { isObject } from '../options.ts';
import { operationsOf } from '../schema/collection.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Exchange, type Json, nameOf, once, type WireRequest } from './exchange.ts';
import { breaks, cannotTell, demand, notDeclared, some, unlessJudged } from './judgement.ts';
import type { Examination } from './options.ts';
import type { Session } from './session.ts';
import type { SendOptions, Wire } from './wire.ts';

/** Values of the parameters of a path or a query. */
export type Parameters = Readonly<Record<string, string | number>>;

/** Creates the factory of the subjects of one diagnosis: collections, each with values for the parameters of its path. */
export const createSubjects = ({ api, base, sample = 100 }: Examination, wire: Wire, session: Session) => {
  // A declaration's collections were checked when they were declared.
  const collections = api.collections as Readonly<Record<string, Collection>>;
  const root = new URL(`${base.href}/${versionPrefix}${api.version}/`);
  const isFetchable = (resource: Schema): boolean =>
    Object.values(collections).some(
      (other) => other.resource === resource && operationsOf(other).includes('get'),
    );

  return (key: string, parameters: Parameters | undefined) => {
    const collection = collections[key] as Collection;
    const { path, resource, options } = collection;
    const url = (): string =>
      parameters === undefined
        ? cannotTell(`no value is known for the parameters of ${path}`)
        : root.href + formatPath(path, parameters);
    const send = async (request: Partial<WireRequest>, how?: SendOptions): Promise<Exchange> => {
      const credentials = how?.isAnonymous ? {} : await session.authorize(how);
      const headers = { [header.accept]: jsonType, ...credentials, ...request.headers };
      return wire.send({ method: 'GET', url: url(), ...request, headers }, how);
    };
    const getOnce = once((address: string, headers: HeaderFields) => send({ url: address, headers }));
    return {
      /** The key in the declaration. */
      key,
      path,
      resource,
      options,
      operations: operationsOf(collection),
      /** The values of the path parameters; undefined when one is unknown. */
      parameters,
      /** The URL that every path of the API begins with, including the major version (§9.3). */
      root,
      /** True for a resource that some collection of the API fetches on its own (§2.1). */
      isFetchable,
      /** Whether the API takes tokens (§5.2). */
      takesTokens: session.takesTokens,
      /** How many records of the list are compared with the declaration. */
      sample,
      /** The URL of the list; the check ends when a parameter of the path is unknown. */
      url,
      /** Sends a request with the credentials of the user, unless `headers` has others. */
      send,
      /** A GET as the user. A GET that was sent is not sent again. */
      get: (address: string, headers: HeaderFields = {}): Promise<Exchange> => getOnce(address, headers),
    };
  };
};

/** Makes the subject of a collection with values for the parameters of its path. */
export type CreateSubject = ReturnType<typeof createSubjects>;

/** A collection of the API under examination. */
export type Subject = ReturnType<CreateSubject>;

/** The URL of a list with a query. */
export const listUrl = (subject: Subject, query: Parameters = {}): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? subject.url() : `${subject.url()}?${search}`;
};

/** Ends the check of a rule that needs an operation. */
export const needs = ({ operations }: Subject, operation: Operation): void => {
  if (!operations.includes(operation)) notDeclared(`the operation "${operation}" is not declared`);
};

/** Ends the check where a response is not a 200 with JSON: another rule judges that. */
export const needsSuccess = (exchange: Exchange): Exchange => {
  const { request, status, json } = exchange;
  if (status === 403) return cannotTell(`${nameOf(request)}: 403, this user may not do it`);
  if (status !== 200) return cannotTell(`${nameOf(request)} got ${status}`);
  if (json === undefined) return cannotTell(`the response to ${nameOf(request)} is not JSON`);
  return exchange;
};

/** A list with the exchange that it comes from. */
export interface Listed {
  readonly exchange: Exchange;
  readonly records: readonly Json[];
}

/** The records of a response; the check ends where it has none. */
export const recordsOf = (exchange: Exchange): Listed => {
  const { request, json } = needsSuccess(exchange);
  if (!Array.isArray(json) || !json.every(isObject)) {
    return cannotTell(`the response to ${nameOf(request)} is not an array of resources`);
  }
  return { exchange, records: json };
};

/** The resource of a response; the check ends where it has none. */
export const resourceOf = (exchange: Exchange): Json => {
  const { request, json } = needsSuccess(exchange);
  return isObject(json) ? json : cannotTell(`the response to ${nameOf(request)} is not a resource`);
};

/** Lists as the user. */
export const list = async (subject: Subject, query: Parameters = {}): Promise<Listed> => {
  needs(subject, 'list');
  return recordsOf(await subject.get(listUrl(subject, query)));
};

/** The records of the first page, at least one. */
export const someRecords = async (subject: Subject): Promise<readonly [Json, ...Json[]]> =>
  some((await list(subject)).records, 'the collection is empty');

/** True for an id that a path can have: with `''`, `.` or `..` it would lead to the collection, or above it. */
const isId = (id: unknown): id is string | number => {
  try {
    return encodeSegment('id', id) !== '';
  } catch {
    return false;
  }
};

/** The URL of one resource; the check ends when it has no id. */
export const itemUrl = (subject: Subject, { id }: Json): string =>
  isId(id) ? `${subject.url()}/${encodeSegment('id', id)}` : cannotTell('the resource has no id');

/** A GET of the first resource of the list. */
export const someItem = async (subject: Subject): Promise<Exchange> => {
  needs(subject, 'get');
  const [record] = await someRecords(subject);
  return needsSuccess(await subject.get(itemUrl(subject, record)));
};

/** An id that no resource has, of the type of those that exist. */
const unknownId = async (subject: Subject): Promise<string | number> => {
  const [{ id }] = await someRecords(subject);
  if (typeof id === 'number') return 2_000_000_011;
  const isUuid = typeof id === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id);
  return isUuid ? '00000000-0000-4000-8000-00000000d0c7' : 'restkin-doctor-none';
};

/** A GET of a resource that does not exist. */
export const getUnknown = async (subject: Subject): Promise<Exchange> =>
  subject.send({ url: itemUrl(subject, { id: await unknownId(subject) }), isInvalid: true });

/** Whether a response is the resource with the id of another representation. */
export const isSameResource = (exchange: Exchange, { id }: Json): boolean =>
  isObject(exchange.json) && String(exchange.json.id) === String(id);

/** The target of a link. A link to another origin breaks the rule and is not followed. */
export const linkTarget = (subject: Subject, exchange: Exchange, name: string, link: unknown): URL => {
  const { url: from } = exchange.request;
  const url = URL.canParse(String(link), from) ? new URL(String(link), from) : undefined;
  const { origin } = subject.root;
  return url?.origin === origin ? url : breaks(exchange, `${name} at ${origin}`, 'another place');
};

/** Ends the check of a link that lacks the version: that is judged by §9.3. */
export const needsVersion = (subject: Subject, { pathname }: URL): void => {
  if (!pathname.startsWith(subject.root.pathname)) cannotTell('see §9.3');
};

/** The ids of records, for a comparison. */
export const idsOf = (records: readonly Json[]): string => JSON.stringify(records.map(({ id }) => id));

/** An integer of a header field; undefined for anything else. */
export const countIn = ({ headers }: Exchange, name: keyof typeof paginationHeader): number | undefined => {
  const value = headers.get(paginationHeader[name])?.trim() ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
};

/** Ends the check of invalid input that got an error of the server: that is judged by §7.1 500. */
export const needsNo500 = ({ status }: Exchange, what: string): void => {
  if (status >= 500) cannotTell(`${what} got ${status}; see §7.1 500`);
};

/** Input that is invalid must be refused (§7.1): another 4xx than 400 is judged by §7.2.1. */
export const demandRefusal = (exchange: Exchange, what: string): void => {
  const { status } = exchange;
  needsNo500(exchange, what);
  demand(status >= 400, exchange, `400 for ${what}`, `${status}`);
  if (status !== 400) cannotTell(`${what} got ${status}; see §7.2.1`);
};

/** {@link demandRefusal} of a list with an invalid query. */
export const demandRefused = async (subject: Subject, query: Parameters, what: string): Promise<void> =>
  demandRefusal(await subject.send({ url: listUrl(subject, query), isInvalid: true }), what);

const mostTried = 3;

const idsIn = async (subject: Subject): Promise<readonly (string | number)[]> => {
  const records = await unlessJudged(async () => (await list(subject)).records, []);
  return records
    .map(({ id }) => id)
    .filter(isId)
    .slice(0, mostTried);
};

/**
 * The subjects of all collections, each with values for the parameters of its path: those that are given, and for
 * `companies/:companyId/orders` the id of a company that has orders. A collection whose parameters stay unknown cannot be
 * examined.
 *
 * @param plain - the subjects of the paths without parameters
 */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  plain: readonly Subject[],
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located = [...plain];
  const locate = async (key: string, path: string): Promise<Subject> => {
    const segments = path.split('/');
    const at = segments.findLastIndex((part) => part.startsWith(':') && !Object.hasOwn(given, part.slice(1)));
    if (at < 0) return create(key, given);
    const above = located.find((other) => other.path === segments.slice(0, at).join('/'));
    let subject = create(key, undefined);
    for (const id of above === undefined ? [] : await idsIn(above)) {
      subject = create(key, { ...given, ...above?.parameters, [(segments[at] ?? '').slice(1)]: id });
      if ((await idsIn(subject)).length > 0) break;
    }
    return subject;
  };
  const keys = Object.keys(api.collections);
  const others = Object.entries(api.collections).filter(([, { path }]) => path.includes(':'));
  // Shorter paths first, because a longer one may begin with a shorter one.
  for (const [key, { path }] of others.toSorted(([, a], [, b]) => a.path.length - b.path.length))
    located.push(await locate(key, path));
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
