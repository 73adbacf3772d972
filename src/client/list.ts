import { listSeparator, pageRelations } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { Links } from '../headers/paging.ts';
import { contextOf } from '../http/message.ts';
import { tracedSteps } from '../http/trace.ts';
import { maskUrl } from '../http/url.ts';
import { createReader } from '../options.ts';
import { type Bounds, readPages } from '../paging/list.ts';
import { type LoadPage, toPage } from '../paging/page.ts';
import { checkQuery, formatQuery, type Query, queryOptions, withCheckedParams } from '../query/query.ts';
import { toOperation } from './call.ts';
import { type ApiContext, toFollowedUrl } from './context.ts';
import { type Exchange, toExchange, toRequest } from './exchange.ts';
import { createItemList, type ListOptions, listChecks, type Reading } from './item-list.ts';
import { collectionUrlOf, type Endpoint, withQuery } from './operations.ts';
import { toListOutcome, unexpected } from './outcome.ts';

/** A server may add values of its own to its link, or keep the whole query in a cursor. */
const covers = (linked: readonly string[], given: readonly string[]): boolean => {
  if (linked.length === 0) return true;
  const known = linked.flatMap((value) => value.split(listSeparator));
  const wanted = given.flatMap((value) => value.split(listSeparator));
  return wanted.length > 0 && wanted.every((value) => known.includes(value));
};

/**
 * The start of a list that continues from the `next` of a page. Its `fields` and `expand` decide the type of the records.
 *
 * @throws {@link InvalidRequestError} when `from` belongs to another collection, or came from another query
 */
const toStart = (api: ApiContext, collectionUrl: string, from: string, query: string): string => {
  const url = toFollowedUrl(api, from);
  const link = new URL(url);
  if (link.pathname !== new URL(collectionUrl).pathname)
    throw new InvalidRequestError('from must be the `next` of a page of this collection');
  const given = new URLSearchParams(query);
  // The link leads to another page of the same query.
  const names = ['fields', 'expand', ...given.keys()].filter((each) => each !== 'page');
  const name = names.find((each) => !covers(link.searchParams.getAll(each), given.getAll(each)));
  if (name !== undefined)
    throw new InvalidRequestError(`from belongs to a list with another \`${name}\`; pass that of its list`);
  return url;
};

/** The paging links of a response (§4.5), absolute. Their origin is checked when they are followed. */
const linksOf = (exchange: Exchange, links: Links | undefined, origin: string): Links => {
  const { url } = exchange.request;
  if (links === undefined)
    throw unexpected(exchange, 'the Link header cannot be read, so further records would be lost (§4.5)');
  const absolute = new Map<string, string>();
  for (const relation of pageRelations) {
    const target = links.get(relation);
    if (target === undefined) continue;
    // Most links are on the same origin, and are not parsed on each page.
    const isSame = target.startsWith(`${origin}/`);
    if (!isSame && !URL.canParse(target, url))
      throw unexpected(exchange, `the ${relation} link is not a URL (§4.5)`);
    absolute.set(relation, isSame ? target : new URL(target, url).href);
  }
  return absolute;
};

const readListRequest = createReader<Query & ListOptions>(
  { ...listChecks, ...queryOptions },
  { hint: "; the endpoint's own query parameters belong in params" },
);

/** GET of the collection, page by page as it is read. */
export const list = (endpoint: Endpoint) => (given?: Query & ListOptions) => {
  const { api, rules, schemas, url } = endpoint;
  const call = api.beginCall();
  let request: Query & ListOptions = {};
  let start = (): string => {
    checkQuery(request, rules);
    const query = formatQuery(withCheckedParams(rules, request), rules, true);
    return request.from === undefined
      ? withQuery(collectionUrlOf(endpoint), query)
      : toStart(api, url, request.from, query);
  };
  try {
    request = readListRequest(given, `${endpoint.name}.list`);
  } catch (error) {
    // Thrown when the list is read.
    start = () => {
      throw error;
    };
  }

  const read = (bounds: Bounds): Reading<unknown> => {
    const { trace } = api;
    const operation = trace && toOperation(api, 'list', call.id, { method: 'GET', url }, endpoint);
    // The latest page. A link may echo the secrets of the request that got it.
    let latest: Exchange | undefined;
    const maskOf = () => (latest?.request ?? api.secrets).mask;

    const load: LoadPage<unknown> = async (link, signal) => {
      const item = schemas(request);
      const pageUrl = toFollowedUrl(api, link, maskOf());
      const parts = { method: 'GET', url: pageUrl, operation } as const;
      const sent = toRequest(api, parts, { ...request, signal }, call.id);
      const response = await api.send(sent);
      const exchange = toExchange(api, sent, response);
      latest = exchange;
      const { items, links: given, numbers } = toListOutcome(exchange, item);
      const links = linksOf(exchange, given, api.base.origin);
      const page = toPage(pageUrl, items, links, numbers);
      api.on.page?.({ callId: call.id, records: items.length });
      const context = () => contextOf(sent, response);
      return { url: pageUrl, page, isFiltered: response.filtered === true, context };
    };

    const pages = readPages({
      ...bounds,
      start,
      load,
      concurrency: request.concurrency ?? 2,
      signal: request.signal,
      isResumed: request.from !== undefined,
      declared: rules.paging !== undefined,
      onDrift: (drift) =>
        api.on.drift?.({ callId: call.id, ...drift, url: maskUrl(drift.url, maskOf(), api.wire.parameters) }),
      fail: call.fail,
    });
    // Asked for once the reader has a page.
    const exchange = (): Exchange => latest as Exchange;
    return { pages: operation ? tracedSteps(trace, operation, pages) : pages, exchange };
  };
  return createItemList(read, request);
};
