import { header, jsonType, type Operation, paginationHeader, versionPrefix } from '../conventions.ts';
import type { HeaderFields } from '../http/message.ts';
import { type BaseUrl, formatPath } from '../http/url.ts';
import type { ApiDeclaration, Collection } from '../index.ts';
import { type CollectionOptions, operationsOf } from '../schema/collection.ts';
import { isObject } from '../schema/read-options.ts';
import type { Schema } from '../schema/types/shape.ts';
import { type Exchange, nameOf, type WireRequest } from './exchange.ts';
import { breaks, cannotTell, demand, notDeclared } from './judgement.ts';
import type { Session } from './session.ts';
import type { SendOptions, Wire } from './wire.ts';

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A collection of the API under examination. */
export interface Subject {
  /** The key in the declaration. */
  readonly key: string;
  readonly resource: Schema;
  readonly options: CollectionOptions;
  readonly operations: readonly Operation[];
  readonly base: BaseUrl;
  readonly version: number;
  /** True for a resource that some collection of the API fetches on its own (§2.1). */
  readonly isFetchable: (resource: Schema) => boolean;
  /** Whether the API takes tokens (§5.2). */
  readonly takesTokens: boolean;
  /** How many records of the list are compared with the declaration. */
  readonly sample: number;
  /** Where the list is; the check ends when a parameter of the path is unknown. */
  url(): string;
  /** Sends a request with the credentials of the user, and with others where `headers` has them. */
  send(request: Partial<WireRequest>, options?: SendOptions): Promise<Exchange>;
  /** A GET as the user. The same GET is sent once. */
  get(url: string, headers?: HeaderFields): Promise<Exchange>;
}

/** What the subjects of one diagnosis share. */
export interface SubjectOptions {
  readonly api: ApiDeclaration;
  readonly base: BaseUrl;
  readonly wire: Wire;
  readonly session: Session;
  readonly sample: number;
}

const isFetchable =
  ({ collections }: ApiDeclaration) =>
  (resource: Schema): boolean =>
    Object.values(collections).some(
      (other) => other.resource === resource && operationsOf(other as Collection).includes('get'),
    );

/** The subject of one collection. `parameters` are those of its path; undefined where one is unknown. */
export const createSubject = (
  key: string,
  { api, base, wire, session, sample }: SubjectOptions,
  parameters: () => Readonly<Record<string, unknown>> | undefined,
): Subject => {
  // A declaration's collections were checked when they were declared.
  const collection = api.collections[key] as Collection;
  const got = new Map<string, Promise<Exchange>>();
  const subject: Subject = {
    key,
    resource: collection.resource,
    options: collection.options,
    operations: operationsOf(collection),
    base,
    version: api.version,
    isFetchable: isFetchable(api),
    takesTokens: session.requestTokens !== undefined,
    sample,
    url: () => {
      const known = parameters();
      if (known === undefined)
        return cannotTell(`no value is known for the parameters of ${collection.path}`);
      return `${base.href}/${versionPrefix}${api.version}/${formatPath(collection.path, known)}`;
    },
    send: async (request, options) =>
      wire.send(
        {
          method: 'GET',
          url: subject.url(),
          where: key,
          ...request,
          headers: {
            [header.accept]: jsonType,
            ...(options?.isAnonymous ? {} : await session.authorize(options)),
            ...request.headers,
          },
        },
        options,
      ),
    get: (url, headers = {}) => {
      const id = JSON.stringify([url, headers]);
      const known = got.get(id) ?? subject.send({ url, headers });
      got.set(id, known);
      return known;
    },
  };
  return subject;
};

/** The URL of a list with a query. */
export const listUrl = (subject: Subject, query: Readonly<Record<string, string | number>> = {}): string => {
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

/** A list that arrived. */
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

/** Lists as the user. */
export const list = async (
  subject: Subject,
  query: Readonly<Record<string, string | number>> = {},
): Promise<Listed> => {
  needs(subject, 'list');
  return recordsOf(await subject.get(listUrl(subject, query)));
};

/** The records of the first page, at least one. */
export const someRecords = async (subject: Subject): Promise<readonly [Json, ...Json[]]> => {
  const [first, ...rest] = (await list(subject)).records;
  return first === undefined ? cannotTell('the collection is empty') : [first, ...rest];
};

/** The URL of one resource; the check ends when it has no id. */
export const itemUrl = (subject: Subject, { id }: Json): string =>
  typeof id === 'string' || typeof id === 'number'
    ? `${subject.url()}/${encodeURIComponent(String(id))}`
    : cannotTell('the resource has no id');

/** A GET of the first resource of the list. */
export const someItem = async (subject: Subject): Promise<Exchange> => {
  needs(subject, 'get');
  const [record] = await someRecords(subject);
  return needsSuccess(await subject.get(itemUrl(subject, record)));
};

/** Where the paths of the API begin, with its major version (§9.3). */
export const rootOf = ({ base, version }: Subject): URL =>
  new URL(`${base.href}/${versionPrefix}${version}/`);

/** Where a link leads; the rule is broken by one to another origin, which is not followed. */
export const linkTarget = (subject: Subject, exchange: Exchange, name: string, link: unknown): URL => {
  const { url: from } = exchange.request;
  const url = URL.canParse(String(link), from) ? new URL(String(link), from) : undefined;
  const { origin } = subject.base;
  return url?.origin === origin ? url : breaks(exchange, `${name} at ${origin}`, 'another place');
};

/** Ends the check of a link that lacks the version: that is judged by §9.3. */
export const needsVersion = (subject: Subject, { pathname }: URL): void => {
  if (!pathname.startsWith(rootOf(subject).pathname)) cannotTell('see §9.3');
};

/** The ids of records, for a comparison. */
export const idsOf = (records: readonly Json[]): string => JSON.stringify(records.map(({ id }) => id));

/** An integer of a header field; undefined for anything else. */
export const countIn = ({ headers }: Exchange, name: keyof typeof paginationHeader): number | undefined => {
  const value = headers.get(paginationHeader[name])?.trim() ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
};

/** Input that is invalid must be refused (§7.1): an error of the server is judged by §7.1 500, another 4xx by §7.2.1. */
export const demandRefusal = (exchange: Exchange, what: string): void => {
  const { status } = exchange;
  if (status >= 500) cannotTell(`${what} got ${status}; see §7.1 500`);
  demand(status >= 400, exchange, `400 for ${what}`, `${status}`);
  if (status !== 400) cannotTell(`${what} got ${status}; see §7.2.1`);
};
