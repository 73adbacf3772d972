import { header, methodRules } from '../conventions.ts';
import { showBody, toShown } from '../errors/error-body.ts';
import {
  type Issue,
  UnexpectedResponseError,
  type UnexpectedResponseInit,
} from '../errors/response-error.ts';
import { conventions } from '../families/family.ts';
import { isJson, parseMediaType } from '../headers/media-type.ts';
import type { EndCheck } from '../headers/paging.ts';
import { baseUrlHint } from '../http/failure.ts';
import { isConditional } from '../http/fields.ts';
import { contextOf, isWebPage, processedNote } from '../http/message.ts';
import { minLengthInKnownText } from '../http/secrets.ts';
import { type CollectionOptions, suppliesTotals } from '../schema/collection.ts';
import type { Schema } from '../schema/types/shape.ts';
import { locationOf } from './call.ts';
import type { Exchange } from './exchange.ts';
import type { Accepted, Done, NotModified } from './results.ts';

/** The error for an unexpected response, without secrets that the server put into it. */
export const unexpected = (
  { request, response }: Exchange,
  message: string,
  { issues = [], body }: Pick<UnexpectedResponseInit, 'issues' | 'body'> = {},
) => {
  const { mask } = request;
  const shown = toShown(message, mask, minLengthInKnownText);
  const processed = processedNote(request, response.status);
  // The login form of a proxy, for example, says nothing of the write.
  const isUnknown = processed !== '' && isWebPage(response);
  return new UnexpectedResponseError({
    ...contextOf(request, response),
    message: shown + (isUnknown ? '; find out whether it was done before you resend it' : processed),
    status: response.status,
    body: body === undefined ? body : showBody(body, mask),
    issues,
  });
};

/** The result of a 202. */
export const toAccepted = ({ request, response }: Exchange): Accepted => {
  const location = locationOf(response.headers, request.url);
  return { outcome: 'accepted', ...(location && { location }) };
};

/** The result of a 204. */
export const toDone = (): Done => ({ outcome: 'done' });

/** The result of a 304: only a conditional request may get one (§7.1). */
export const toNotModified = (exchange: Exchange): NotModified => {
  if (isConditional(exchange.request.headers)) return { outcome: 'notModified' };
  throw unexpected(exchange, 'the request was not conditional (§7.1)');
};

/** The outcomes without a resource, by their statuses (§7.1). */
export const outcomes: Readonly<Record<number, (exchange: Exchange) => Accepted | Done | NotModified>> = {
  202: toAccepted,
  204: toDone,
  304: toNotModified,
};

const mediaTypeOf = ({ response }: Exchange): string =>
  parseMediaType(response.headers.get(header.contentType));

const notJson = (exchange: Exchange) => {
  const what = `the response is ${mediaTypeOf(exchange)} where JSON was expected${baseUrlHint}`;
  return unexpected(exchange, what, { body: String(exchange.response.body) });
};

/** @throws {@link UnexpectedResponseError} for a web page in place of a response without content */
export const requireNoWebPage = (exchange: Exchange): void => {
  if (isWebPage(exchange.response)) throw notJson(exchange);
};

/** The outcome of a response, or what `toBody` makes of the body of a 200 and a 201. */
const toOutcome = (exchange: Exchange, toBody: () => unknown): unknown => {
  const { method } = exchange.request;
  const { status } = exchange.response;
  const expected: readonly number[] =
    method === 'POST' ? [...exchange.wire.family.created, 202] : methodRules[method].success;
  if (expected.includes(status)) return (outcomes[status] ?? toBody)(exchange);
  requireNoWebPage(exchange);
  const source = method === 'POST' ? '§4.2, `created` of a family' : '§4.2';
  throw unexpected(exchange, `the status must be ${expected.join(' or ')} (${source})`);
};

const describeIssues = (issues: readonly Issue[], hint: string): string => {
  const { path = '', message, id, value, records }: Partial<Issue> = issues[0] ?? {};
  const record = id === undefined ? '' : ` (id ${id})`;
  const where = path === '' ? '' : ` at \`${path}\`${record}`;
  const received = value === undefined ? '' : `; received ${value}`;
  const count = records === undefined ? '' : `, in ${records} records`;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `the response does not match the declaration${where}: ${message}${received}${count}${more}${hint}`;
};

/** @throws {@link UnexpectedResponseError} for a body that is not JSON */
export const parseJson = (exchange: Exchange, body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's message quotes the body, which may hold anything.
    throw unexpected(exchange, 'the body is not JSON', { body });
  }
};

const parseBody = (exchange: Exchange): unknown => {
  // A response with a schema is read as text.
  const body = exchange.response.body as string;
  const mediaType = mediaTypeOf(exchange);
  if (mediaType !== '' && !isJson(mediaType)) throw notJson(exchange);
  if (body === '') throw unexpected(exchange, 'the response has no body, or the connection was lost');
  return parseJson(exchange, body);
};

/** The member of a body that has records. */
const listNameIn = (body: unknown): string | undefined =>
  Object.entries(Object(body)).find(([, value]) => Array.isArray(value) && value.length > 0)?.[0];

/** The checked values of a body: the items of a list, or one value. */
const toValues = (
  exchange: Exchange,
  schema: Schema,
  given: unknown,
  isList: boolean,
): readonly unknown[] => {
  if (!Array.isArray(given)) {
    const name = listNameIn(given) ?? 'data';
    const what = `the response is not a list; if it has one, declare family({ list: { items: '${name}' } })`;
    throw unexpected(exchange, what);
  }
  const { check, request, wire } = exchange;
  const named = given.map((item) => wire.readIds(item, schema));
  const { values, issues, hint } = check(schema, named, isList, request);
  if (issues.length === 0) return values;
  throw unexpected(exchange, describeIssues(issues, hint), { issues });
};

/** The checked value of a whole body. */
export const toValue = (exchange: Exchange, schema: Schema): unknown =>
  toValues(exchange, schema, [parseBody(exchange)], false)[0];

/** What a body has where the resource is. */
const unwrap = (exchange: Exchange): unknown =>
  exchange.wire.toResource(parseBody(exchange), exchange.request.method);

/** The checked resource in a body. */
export const toResource = (exchange: Exchange, schema: Schema): unknown =>
  toValues(exchange, schema, [unwrap(exchange)], false)[0];

/**
 * The result of a GET; undefined for the 404 of a resource that may be missing, which is an error otherwise.
 */
export const toReadOutcome = (exchange: Exchange, schema: Schema): unknown =>
  exchange.response.status === 404 ? undefined : toOutcome(exchange, () => toResource(exchange, schema));

/**
 * A list response: its checked records, and what it says of the pages of the list.
 *
 * @param paging - how its collection pages
 */
export const toListOutcome = (exchange: Exchange, item: Schema, paging: CollectionOptions['paging']) => {
  const { request, response, wire } = exchange;
  const { listStatuses } = wire;
  if (!listStatuses.includes(response.status))
    throw unexpected(exchange, `the status must be ${listStatuses.join(' or ')} (§4.2)`);
  const hasTotals = suppliesTotals(paging);
  const isPaged = paging !== undefined;
  const page = wire.readPage(parseBody(exchange), response.headers, request.url, hasTotals, isPaged);
  // A problem may have a name that the server sent.
  const masked = (check: EndCheck | undefined): EndCheck | undefined =>
    check && ((read) => toShown(check(read) ?? '', request.mask, minLengthInKnownText) || undefined);
  const missingItems = page.places?.missingItems;
  if (missingItems !== undefined) throw unexpected(exchange, missingItems);
  return {
    ...page,
    items: toValues(exchange, item, page.items, true),
    checkEnd: masked(page.checkEnd),
    checkTotal: masked(page.checkTotal),
  };
};

/**
 * The outcome of a POST: the created resource, or {@link Accepted}.
 *
 * @param mayAccept - whether the collection declares that its resources may be created later
 */
export const toCreateOutcome = (exchange: Exchange, schema: Schema, mayAccept: boolean): unknown => {
  const outcome = toOutcome(exchange, () => toResource(exchange, schema));
  if (exchange.response.status !== 202 || mayAccept) return outcome;
  const advice = "add accepts: ['create'] to its collection() to get this as a result";
  throw unexpected(exchange, `the server creates the resource later; ${advice}`);
};

/** The outcome of a bulk POST of `count` items (§8): the created resources, in their order. */
export const toBulkOutcome = (exchange: Exchange, item: Schema, count: number): unknown =>
  toOutcome(exchange, () => {
    const data = toValues(exchange, item, unwrap(exchange), true);
    if (data.length === count) return data;
    const problem = `the response to ${count} items holds ${data.length} created resources`;
    throw unexpected(exchange, `${problem}, so it is unknown which exist (§8)`);
  });

/**
 * The outcome of PUT, PATCH and DELETE. A 200 counts as a 204, and so does the 201 of a PUT that created the
 * resource, which the conventions do not have. With the resource, 201 counts as 200: Gitea responds with it
 * to a PATCH.
 *
 * @param schema - of the resource with which the server responds to PUT and PATCH, where the family says so
 */
export const toWriteOutcome = (exchange: Exchange, schema?: Schema): unknown => {
  const { status } = exchange.response;
  requireNoWebPage(exchange);
  if (schema !== undefined && (status === 204 || status === 202))
    throw unexpected(exchange, "the family says `written: 'resource'`, and the response has no resource");
  if (schema !== undefined && (status === 200 || status === 201)) return toResource(exchange, schema);
  const mayCreate = exchange.request.method === 'PUT' && exchange.wire.family !== conventions;
  return status === 200 || (status === 201 && mayCreate) ? toDone() : toOutcome(exchange, toDone);
};

/**
 * The methods of a URI, from the `Accept` header of the response to OPTIONS (§4.2), or `Allow` without it.
 */
export const toAllowedMethods = (exchange: Exchange): readonly string[] => {
  const { headers } = exchange.response;
  // A media type is what RFC 9110 §12.5.1 means by `Accept` in a response.
  const field = [headers.get(header.accept), headers.get(header.allow)].find(
    (each) => each?.includes('/') === false,
  );
  if (typeof field !== 'string')
    throw unexpected(exchange, 'the response to OPTIONS names no methods in Accept (§4.2)');
  return field
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter(Boolean);
};
