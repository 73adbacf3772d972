import { pageRelations } from '../conventions.ts';
import type { Mask } from '../errors/error-body.ts';
import { isLinked } from '../families/list-form.ts';
import type { Links } from '../headers/paging.ts';
import { contextOf } from '../http/message.ts';
import { openSpan, type RunningOperation, type Span } from '../http/trace.ts';
import { maskUrl, parseLinkUrl } from '../http/url.ts';
import { createReader } from '../options.ts';
import { type ReadingOptions, readPages } from '../paging/list.ts';
import type { LoadPage } from '../paging/page.ts';
import { type Query, queryOptions } from '../query/query.ts';
import { toOperation } from './call.ts';
import { toFollowedUrl } from './context.ts';
import { type Exchange, toExchange, toRequest } from './exchange.ts';
import { createItemList, type ListOptions, listChecks, type Reading } from './item-list.ts';
import { pageUrlsOf, toStart } from './list-query.ts';
import type { CollectionEndpoint } from './operations.ts';
import { toListOutcome, unexpected } from './outcome.ts';

/** The paging links of a response (§4.5), absolute. Their origin is checked when they are followed. */
const linksOf = (exchange: Exchange, links: Links | undefined, origin: string): Links => {
  const { url } = exchange.request;
  if (links === undefined)
    throw unexpected(exchange, 'the Link header cannot be read, so further records would be lost (§4.5)');
  const absolute = new Map<string, string>();
  for (const relation of pageRelations) {
    const target = links.get(relation);
    if (target === undefined) continue;
    const href = parseLinkUrl(origin, target, url)?.href;
    if (href === undefined) throw unexpected(exchange, `the ${relation} link is not a URL (§4.5)`);
    absolute.set(relation, href);
  }
  return absolute;
};

type ListRequest = Query & ListOptions;

const readListRequest = createReader<ListRequest>(
  { ...listChecks, ...queryOptions },
  { hint: "; the endpoint's own query parameters belong in params" },
);

/** Options that are copied when a list is made. Where they are invalid, `check` throws when it is read. */
interface Asked {
  readonly request: ListRequest;
  readonly check: () => void;
}

const readAsked = (given: ListRequest | undefined, owner: string): Asked => {
  try {
    return { request: readListRequest(given, owner), check: () => undefined };
  } catch (error) {
    const check = (): void => {
      throw error;
    };
    return { request: {}, check };
  }
};

/** Loads the pages of one reading of a list, and keeps the exchange of the latest one. */
const createPageLoader = (
  { api, rules, schemas, template }: CollectionEndpoint,
  request: ListRequest,
  callId: string,
  operation: RunningOperation | undefined,
) => {
  let latest: Exchange | undefined;
  // A link may echo the secrets of the request that got it.
  const maskOf = (): Mask => (latest?.request ?? api.secrets).mask;

  const load: LoadPage<unknown> = async (link, signal) => {
    const item = schemas(request);
    const url = toFollowedUrl(api, link, maskOf());
    const parts = { method: 'GET', url, template, operation } as const;
    const sent = toRequest(api, parts, { ...request, signal }, callId);
    const response = await api.send(sent);
    const exchange = toExchange(api, sent, response);
    latest = exchange;
    const { links, ...page } = toListOutcome(exchange, item, rules.paging);
    api.on.page?.({ callId, records: page.items.length });
    return {
      ...page,
      url,
      links: linksOf(exchange, links, api.base.origin),
      hasHiddenHeaders: response.filtered === true,
      context: () => contextOf(sent, response),
    };
  };

  // Asked for once the reader has a page.
  const latestExchange = (): Exchange => latest as Exchange;
  return { load, maskOf, latestExchange };
};

/** Begins to read a list, which is a call of its own. Nothing is sent before its pages are asked for. */
const beginReading = (
  endpoint: CollectionEndpoint,
  { request, check }: Asked,
  options: ReadingOptions,
): Reading<unknown> => {
  const { api, rules, url } = endpoint;
  const call = api.beginCall(request);
  const requests = new AbortController();
  const operation = api.trace && toOperation(api, 'list', call.id, { method: 'GET', url }, endpoint);
  const { load, maskOf, latestExchange } = createPageLoader(endpoint, request, call.id, operation);

  const onPage: ReadingOptions['onPage'] = (progress) => {
    if (operation) operation.pages++;
    return options.onPage?.(progress);
  };

  let span: Span | undefined;
  const pages = readPages({
    ...options,
    onPage,
    start: () => {
      if (api.trace && operation) span = openSpan(api.trace, operation);
      check();
      return toStart(endpoint, request);
    },
    load: (link, signal) => span?.run(() => load(link, signal)) ?? load(link, signal),
    pageUrls: pageUrlsOf(api.wire.family),
    positionByTotal: api.wire.positionByTotal,
    isLinked: isLinked(api.wire.family.list),
    declaresPaging: rules.paging !== undefined,
    concurrency: request.concurrency ?? 2,
    signal: request.signal,
    requests,
    isResumed: request.from !== undefined,
    onDrift: (drift) =>
      api.on.drift?.({ callId: call.id, ...drift, url: maskUrl(drift.url, maskOf(), api.wire.parameters) }),
    fail: call.fail,
    onEnd: (failure) => span?.end(failure),
  });
  return { pages, requests, exchange: latestExchange };
};

/** GET of the collection, page by page as it is read. */
export const list = (endpoint: CollectionEndpoint) => (given?: ListRequest) => {
  const asked = readAsked(given, `${endpoint.name}.list`);
  return createItemList((options) => beginReading(endpoint, asked, options), asked.request);
};
