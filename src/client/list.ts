import { header, listSeparator, pageRelations } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { type Links, parseLink, parsePagination } from '../headers/paging.ts';
import { checkHeaderFields, isConditional } from '../http/fields.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Mask } from '../http/secrets.ts';
import { createProgress, type Progress, tracedSteps } from '../http/trace.ts';
import { type BaseUrl, maskUrl, withoutFragment } from '../http/url.ts';
import { createReader, isObject } from '../options.ts';
import { type Bounds, readPages } from '../paging/list.ts';
import { type LoadPage, toPage } from '../paging/page.ts';
import { checkQuery, formatQuery, type Query, type QueryRules, queryOptions } from '../query/query.ts';
import { encoderOf, parse, requireSynchronous } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, fieldsOf } from '../schema/zod.ts';
import type { CallOptions } from './call-options.ts';
import { createItemList, type ListOptions, listChecks, type Reading } from './item-list.ts';
import { type Endpoint, withQuery } from './operations.ts';
import { toListOutcome, unexpected } from './outcome.ts';
import { type ApiContext, type Exchange, sendRequest, toFollowedUrl, toOperation } from './pipeline.ts';

const decodedPathOf = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/** A server may add names of its own to its link, or keep the whole query in a cursor. */
const coversNames = (linked: string | null, given: string | null): boolean => {
  if (linked === null || given === null) return linked === null;
  const names = linked.split(listSeparator);
  return given.split(listSeparator).every((name) => names.includes(name));
};

/**
 * The start of a list that continues from the `next` of a page. Its `fields` and `expand` decide the type of the records.
 *
 * @throws {@link InvalidRequestError} when `from` belongs to another collection, or came from another query
 */
const toStart = (api: ApiContext, collectionUrl: string, from: string, query: string): string => {
  const url = toFollowedUrl(api, from);
  const link = new URL(url);
  if (decodedPathOf(link) !== decodedPathOf(new URL(collectionUrl)))
    throw new InvalidRequestError('from must be the `next` of a page of this collection');
  const given = new URLSearchParams(query);
  const name = ['fields', 'expand'].find(
    (each) => !coversNames(link.searchParams.get(each), given.get(each)),
  );
  if (name !== undefined)
    throw new InvalidRequestError(`from belongs to a list with another \`${name}\`; pass that of its list`);
  return url;
};

/** An absolute link as the server wrote it, or a relative one resolved. Its origin is checked when it is followed. */
const toAbsolute = (exchange: Exchange, relation: string, target: string, origin: string): string => {
  // Most links have this form, and are not parsed on each page.
  if (target.startsWith(`${origin}/`)) return withoutFragment(target);
  const { url } = exchange.request;
  if (!URL.canParse(target, url)) throw unexpected(exchange, `the ${relation} link is not a URL (§4.5)`);
  const absolute = /^https?:\/\//.test(target) ? target : new URL(target, url).href;
  return withoutFragment(absolute);
};

/** The paging links of a response (§4.5), absolute. */
const linksOf = (exchange: Exchange, { origin }: BaseUrl): Links => {
  const field = exchange.response.headers.get(header.link);
  const { url } = exchange.request;
  const isOwn = (anchor: string): boolean =>
    URL.canParse(anchor, url) && new URL(anchor, url).href === new URL(url).href;
  const links = parseLink(field ?? '', isOwn);
  if (links === undefined)
    throw unexpected(exchange, 'the Link header cannot be read, so further records would be lost (§4.5)');
  const absolute = new Map<string, string>();
  for (const relation of pageRelations) {
    const target = links.get(relation);
    if (target !== undefined) absolute.set(relation, toAbsolute(exchange, relation, target, origin));
  }
  return absolute;
};

interface ListRequest extends Query, ListOptions {}

/** What one reading of a list has seen. */
interface Seen {
  /** Masks what it shows: the secrets of its latest request too, because a link may echo them. */
  mask: Mask;
  /** The response of its latest page. */
  response: ApiResponse | undefined;
  readonly progress: Progress;
}

/** Makes the function that loads the pages of one reading. The query is checked before the first page is loaded. */
const createLoad =
  ({ api, schemas }: Endpoint, request: ListRequest, callId: string, seen: Seen): LoadPage<unknown> =>
  async (link) => {
    const item = schemas(request);
    const url = toFollowedUrl(api, link, seen.mask);
    const parts = { method: 'GET', url, headers: api.readFields, progress: seen.progress } as const;
    const exchange = await sendRequest(api, parts, request, callId);
    const { response } = exchange;
    seen.mask = exchange.request.mask;
    seen.response = response;
    seen.progress.pages++;
    const items = toListOutcome(exchange, item);
    const page = toPage(url, items, linksOf(exchange, api.base), parsePagination(response.headers));
    api.onPage?.({ callId, url: maskUrl(url, seen.mask), number: page.number, records: items.length });
    return { url, page, isFiltered: response.filtered === true };
  };

const noCondition = 'a list cannot be conditional; `get` can';

const checkUnconditional = ({ headers }: CallOptions): void => {
  if (headers === undefined || !isConditional(checkHeaderFields('headers', headers))) return;
  throw new InvalidRequestError(`headers has a condition: ${noCondition}`);
};

const readListRequest = createReader<ListRequest>(
  { ...listChecks, ...queryOptions },
  "; the endpoint's own query parameters belong in params",
);

/** Refuses misspelt parameters: a schema drops them, and the list would be longer than intended. */
const requireParams = (schema: Schema, params: unknown, name: string): void => {
  if (!isObject(params) || Symbol.iterator in params)
    throw new InvalidRequestError(`${name}: \`params\` must be a plain object`);
  const declared = fieldsOf(schema);
  if (declared === undefined || definitionOf(coreOf(schema)).catchall !== undefined) return;
  const unknown = Object.keys(params).find((key) => !Object.hasOwn(declared, key));
  if (unknown === undefined) return;
  const known = Object.keys(declared).join(', ');
  throw new InvalidRequestError(
    `${name}: \`params\` has no ${JSON.stringify(unknown.slice(0, 100))}; the collection() declares ${known}`,
  );
};

/** The endpoint's own parameters as they are sent: checked, and with the defaults of their schema. */
export const checkParams = ({ name, params }: QueryRules, query: Query): Query => {
  if (params === undefined) return query;
  requireSynchronous(params);
  requireParams(params, query.params ?? {}, name);
  const encode = encoderOf(params);
  const parsed = parse(params, encode(query.params ?? {}, 'params'));
  if (parsed.ok) return { ...query, params: encode(parsed.value, 'params') as Query['params'] };
  const [issue] = parsed.issues;
  throw new InvalidRequestError(
    `${name}: \`params\` does not match its declaration at \`${issue?.path}\`: ${issue?.message}`,
  );
};

/** Reads the options of a list. The error for invalid ones is thrown when the list is read. */
const openList = (given: ListRequest | undefined, owner: string) => {
  try {
    return { request: readListRequest(given, owner) };
  } catch (error) {
    return { request: readListRequest(undefined, owner), error };
  }
};

/** GET of the collection, page by page as it is read. */
export const list = (endpoint: Endpoint) => (given?: ListRequest) => {
  const { api, rules, url } = endpoint;
  const call = api.beginCall();
  const { request, error } = openList(given, `${endpoint.name}.list`);
  const start = (): string => {
    if (error !== undefined) throw error;
    checkQuery(request, rules);
    checkUnconditional(request);
    const query = formatQuery(checkParams(rules, request));
    return request.from === undefined ? withQuery(url, query) : toStart(api, url, request.from, query);
  };

  const read = (bounds: Bounds): Reading<unknown> => {
    const { trace } = api;
    const progress = createProgress();
    const seen: Seen = { mask: api.defaults.secrets.mask, response: undefined, progress };
    const pages = readPages({
      ...bounds,
      start,
      createLoad: (signal) => createLoad(endpoint, { ...request, signal }, call.id, seen),
      concurrency: request.concurrency ?? 2,
      signal: request.signal,
      isResumed: request.from !== undefined,
      declared: rules.paging !== undefined,
      onDrift: (drift) => api.onDrift({ callId: call.id, ...drift, url: maskUrl(drift.url, seen.mask) }),
      fail: (failure) => call.fail(failure, seen.mask),
    });
    const operation = toOperation(api, 'list', call.id, { method: 'GET', url }, progress, endpoint);
    return {
      pages: trace === undefined ? pages : tracedSteps(trace, operation, pages),
      // Of a page that the reader has.
      response: () => seen.response as ApiResponse,
    };
  };
  return createItemList(read, request);
};
