import { header, listSeparator, pageRelations, queryParameters } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { type Links, parseLink, parsePagination } from '../headers/paging.ts';
import { checkHeaderFields, isConditional } from '../http/message.ts';
import { type BaseUrl, withoutFragment } from '../http/url.ts';
import { createReader, isObject } from '../options.ts';
import { type LoadPage, leavesPath, toListPage, toPage } from '../paging/page.ts';
import type { Drift } from '../paging/reconcile.ts';
import { markPosition, type Position, parsePosition } from '../paging/resume.ts';
import { checkQuery, formatQuery, type Query, type QueryRules, queryOptions } from '../query/query.ts';
import { encoderOf, parse, requireSynchronous } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, fieldsOf } from '../schema/zod.ts';
import type { CallOptions } from './call-options.ts';
import { createItemList, type ListOptions, listChecks } from './item-list.ts';
import { type Endpoint, withQuery } from './operations.ts';
import { toListOutcome, unexpected } from './outcome.ts';
import { type ApiContext, type Exchange, sendRequest, toFollowedUrl } from './pipeline.ts';

/** Parameters that the type of the records depends on: with other names, or without them, it would be wrong. */
const shaping: ReadonlySet<string> = new Set(['fields', 'expand']);

const namesIn = (list: string): readonly string[] => list.split(listSeparator).filter((name) => name !== '');

/** Whether a link agrees with a query on a parameter: a server may add names of its own, but must not leave out any. */
const saysSame = (name: string, linked: string, queried: string): boolean => {
  const names = namesIn(linked);
  return namesIn(queried).every((given, index) =>
    name === 'sort' ? names[index] === given : names.includes(given),
  );
};

/** The name of the first parameter that the query and the position do not agree on. */
const differenceOf = (query: URLSearchParams, position: Position): string | undefined => {
  // The server may spell a query in its own way, or leave it out.
  const isLink = position.query === undefined;
  const former = new URLSearchParams(position.query ?? position.url.split('?', 2)[1]);
  for (const name of isLink ? queryParameters : new Set([...query.keys(), ...former.keys()])) {
    const [now, before] = [query.get(name), former.get(name)];
    if (now === before || (isLink && name === 'page')) continue;
    // The position keeps what the query leaves out, except what decides the type of the result.
    if (now === null ? !shaping.has(name) : isLink && (before === null || saysSame(name, before, now)))
      continue;
    return name;
  }
  return undefined;
};

/**
 * The start of a list that continues from a position, or from the `next` of a page.
 *
 * @throws {@link InvalidRequestError} when `from` belongs to another collection, or came from another query
 */
const toStart = (api: ApiContext, collectionUrl: string, from: unknown, query: string): Position => {
  const given = typeof from === 'string' ? from : '';
  const url = toFollowedUrl(api, given);
  if (leavesPath(url, collectionUrl))
    throw new InvalidRequestError('from must be a position of this list, or the next of one of its pages');
  const position = parsePosition(given);
  const name = differenceOf(new URLSearchParams(query), position);
  if (name !== undefined) {
    throw new InvalidRequestError(
      `from belongs to a list with another ${name}; pass the query of that list, or leave out from`,
    );
  }
  return { ...position, url };
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

/** Makes the function that loads the pages of one list. The query is checked before the first page is loaded. */
const createLoad =
  ({ api, schemas }: Endpoint, request: ListRequest): LoadPage<unknown> =>
  async (link) => {
    const item = schemas(request);
    const url = toFollowedUrl(api, link);
    const exchange = await sendRequest(api, { method: 'GET', url, headers: api.readFields }, request);
    const items = toListOutcome(exchange, item);
    const { response } = exchange;
    const page = toPage(items, linksOf(exchange, api.base), parsePagination(response.headers));
    // The page holds the content of the body, so its string need not be kept.
    return toListPage(url, page, { ...response, body: '' }, response.filtered === true);
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
export const list = (endpoint: Endpoint, given?: ListRequest) => {
  const { api, rules, url } = endpoint;
  const { request, error } = openList(given, `${endpoint.name}.list`);
  /** The query string of this list, or of the list that it continues. */
  let query = '';
  const start = (): Position => {
    if (error !== undefined) throw error;
    checkQuery(request, rules);
    checkUnconditional(request);
    query = formatQuery(checkParams(rules, request));
    if (request.from === undefined) return { url: withQuery(url, query), delivered: 0 };
    const position = toStart(api, url, request.from, query);
    query = position.query ?? query;
    return position;
  };
  const source = {
    createLoad: (signal: AbortSignal) => createLoad(endpoint, { ...request, signal }),
    start,
    declared: rules.paging !== undefined,
    mark: (position: string) => markPosition(position, query),
    onDrift: (drift: Drift) => api.onDrift({ callId: api.call.id, ...drift }),
    fail: api.call.fail,
  };
  return createItemList(source, request);
};
