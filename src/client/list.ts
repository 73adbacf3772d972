import { header, listSeparator, pageRelations } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { type Links, parseLink, parsePagination } from '../headers/paging.ts';
import { checkHeaderFields, isConditional } from '../http/fields.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Mask } from '../http/secrets.ts';
import { createProgress, type Progress, tracedSteps } from '../http/trace.ts';
import { type BaseUrl, maskUrl, withoutFragment } from '../http/url.ts';
import { createReader } from '../options.ts';
import { type Bounds, readPages } from '../paging/list.ts';
import { type LoadPage, toPage } from '../paging/page.ts';
import { withCheckedParams } from '../query/params.ts';
import { checkQuery, formatQuery, type Query, queryOptions } from '../query/query.ts';
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

/** The paging links of a response (§4.5), absolute. Their origin is checked when they are followed. */
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
    if (target === undefined) continue;
    // Most links are on the same origin, and are not parsed on each page. An absolute one stays as the server wrote it.
    const isSame = target.startsWith(`${origin}/`);
    if (!isSame && !URL.canParse(target, url))
      throw unexpected(exchange, `the ${relation} link is not a URL (§4.5)`);
    const isAbsolute = isSame || /^https?:\/\//.test(target);
    absolute.set(relation, withoutFragment(isAbsolute ? target : new URL(target, url).href));
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
    api.on.page?.({ callId, url: maskUrl(url, seen.mask), number: page.number, records: items.length });
    return { url, page, isFiltered: response.filtered === true };
  };

const readListRequest = createReader<ListRequest>(
  { ...listChecks, ...queryOptions },
  "; the endpoint's own query parameters belong in params",
);

/** GET of the collection, page by page as it is read. */
export const list = (endpoint: Endpoint) => (given?: ListRequest) => {
  const { api, rules, url } = endpoint;
  const call = api.beginCall();
  let request: ListRequest = {};
  let refusal: unknown;
  try {
    request = readListRequest(given, `${endpoint.name}.list`);
  } catch (error) {
    // Thrown when the list is read.
    refusal = error;
  }
  const start = (): string => {
    if (refusal !== undefined) throw refusal;
    checkQuery(request, rules);
    if (request.headers !== undefined && isConditional(checkHeaderFields('headers', request.headers)))
      throw new InvalidRequestError('headers has a condition: a list cannot be conditional; `get` can');
    const query = formatQuery(withCheckedParams(rules, request));
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
      onDrift: (drift) => api.on.drift?.({ callId: call.id, ...drift, url: maskUrl(drift.url, seen.mask) }),
      fail: (failure) => call.fail(failure, seen.mask),
    });
    // Asked for once the reader has a page.
    const response = (): ApiResponse => seen.response as ApiResponse;
    if (trace === undefined) return { pages, response };
    const operation = toOperation(api, 'list', call.id, { method: 'GET', url }, progress, endpoint);
    return { pages: tracedSteps(trace, operation, pages), response };
  };
  return createItemList(read, request);
};
