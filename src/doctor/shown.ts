import { formType, header, paginationHeader, queryParameters } from '../conventions.ts';
import { parseMediaType } from '../headers/media-type.ts';
import { parseLink } from '../headers/paging.ts';
import type { Secrets } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { isObject } from '../options.ts';
import { type Exchange, errorItemsOf, type WireRequest } from './exchange.ts';
import type { ShownExchange } from './finding.ts';

// What a server sends may be the data of a person, wherever it stands: in a message, a code, a name, a link.
// So nothing of it is shown but what has the form of a name, a code, an id, a number, a date or a content
// type.

/** In place of what is not shown. */
const hidden = '***';

const names = /^[A-Za-z_$][\w.$[\]-]{0,63}$/;
const ids = /^[\w.~:-]{1,64}$/;
const mediaTypes = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;
const numbers = /^@?-?\d{1,15}$/;
const dates = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const methods = /^[A-Z]{3,7}(?:, ?[A-Z]{3,7})*$/;

const only = (pattern: RegExp, value: unknown): string =>
  typeof value === 'string' && pattern.test(value) ? value : hidden;

/** The name of a field, or a machine code. */
export const showName = (value: unknown): string => only(names, value);

export const showNames = (values: readonly unknown[]): string => values.slice(0, 12).map(showName).join(', ');

export const showId = (id: unknown): string => only(ids, String(id));

/** The value of a `Content-Type`, without its parameters. */
export const showType = (value: string | null): string =>
  value === null ? 'no Content-Type' : only(mediaTypes, parseMediaType(value));

const showParameter = (known: readonly string[], [name, value]: readonly [string, string]): string => {
  const isKnown = known.includes(name) && /^[\w.,-]{0,200}$/.test(value);
  return `${showName(name)}=${isKnown ? encodeURIComponent(value) : hidden}`;
};

/** A URL, of whose path and query only what has the form of names and ids is shown. */
export const showUrl = (href: string, known: readonly string[] = queryParameters): string => {
  const { origin, pathname, searchParams } = new URL(href);
  const path = pathname.split('/').map((segment) => (segment === '' ? '' : showId(segment)));
  const query = [...searchParams].map((parameter) => showParameter(known, parameter)).join('&');
  return `${origin}${path.join('/')}${query && '?'}${query}`;
};

const showTarget = (target: string, from: string, known?: readonly string[]): string =>
  URL.canParse(target, from) ? showUrl(new URL(target, from).href, known) : hidden;

const showLinks = (field: string, from: string, known?: readonly string[]): string =>
  [...(parseLink(field) ?? [])]
    .map(([relation, target]) => `<${showTarget(target, from, known)}>; rel="${showName(relation)}"`)
    .join(', ') || hidden;

/** The value of a header field of a response. */
export const showField = (name: string, value: string, { url, shown }: WireRequest): string => {
  const known = shown?.parameters;
  if (name === header.link) return showLinks(value, url, known);
  if (name === header.location) return showTarget(value, url, known);
  if (name === header.contentType) return showType(value);
  return [numbers, dates, methods].some((pattern) => pattern.test(value)) ? value : hidden;
};

/** A request of the doctor. Its URL may be a link of the server. */
export const nameOf = ({ method, url, shown }: Exchange['request']): string =>
  `${method} ${showUrl(url, shown?.parameters)}`;

const shownFields: ReadonlySet<string> = new Set(Object.values({ ...header, ...paginationHeader }));

const cut = (value: string): string => (value.length > 300 ? `${value.slice(0, 300)}…` : value);

const showKeys = (value: unknown): string =>
  isObject(value) ? `{ ${showNames(Object.keys(value))} }` : typeof value;

/** Describes a body by the names of its fields, and an error by the fields and codes of its items. */
const shapeOf = (exchange: Exchange): string => {
  const { request, status, body, json } = exchange.sent ?? exchange;
  if (body === '') return '(no body)';
  if (json === undefined) return `(${body.length} characters, not JSON)`;
  if (Array.isArray(json)) return `(a list of ${json.length}: ${showKeys(json[0])})`;
  const isTokenRequest = request.headers[header.contentType] === formType;
  const items = status >= 400 && !isTokenRequest ? errorItemsOf(exchange) : [];
  const shown = items.slice(0, 12).map(({ field, code }) => `${showName(field)}: ${showName(code)}`);
  return [`(${showKeys(json)})`, ...shown].join('\n');
};

const showSent = (name: string, value: string, mask: Secrets['mask']): string => {
  if (name === header.authorization) return `${name}: ${value.split(' ', 1)[0]} ***`;
  // It repeats the ETag of a response.
  if (name === header.ifNoneMatch) return `${name}: ${hidden}`;
  return `${name}: ${mask(value)}`;
};

export const showExchange = (exchange: Exchange, mask: Secrets['mask']): ShownExchange => {
  const { request, status, headers } = exchange.sent ?? exchange;
  const known = request.shown?.parameters;
  const isShown = (name: string) => shownFields.has(name) || request.shown?.fields.includes(name);
  const sent = Object.entries(request.headers).map(([name, value]) => showSent(name, value, mask));
  const received = [...headers]
    .filter(([name]) => isShown(name))
    .map(([name, value]) => `${name}: ${cut(mask(showField(name, value, request)))}`);
  return {
    request: [`${request.method} ${maskUrl(showUrl(request.url, known), mask, known)}`, ...sent].join('\n'),
    response: [String(status), ...received, cut(mask(shapeOf(exchange)))].join('\n'),
  };
};
