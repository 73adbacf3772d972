import { formType, header, paginationHeader } from '../conventions.ts';
import type { Mask } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { isObject } from '../options.ts';
import type { Exchange, WireRequest } from './exchange.ts';
import type { ShownExchange } from './finding.ts';

/** Header fields of a response that a finding may rest on. */
const shownFields: ReadonlySet<string> = new Set([
  header.accept,
  header.allow,
  header.contentType,
  header.deprecation,
  header.etag,
  header.lastModified,
  header.link,
  header.location,
  header.retryAfter,
  header.sunset,
  header.wwwAuthenticate,
  ...Object.values(paginationHeader),
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

const longest = 300;

const cut = (value: string): string => (value.length > longest ? `${value.slice(0, longest)}…` : value);

const fieldsOf = (value: unknown): string =>
  isObject(value) ? `{ ${Object.keys(value).slice(0, 12).join(', ')} }` : typeof value;

const isTokenRequest = ({ headers }: WireRequest): boolean => headers[header.contentType] === formType;

/** Describes a body without the values of its resources, which are other people's data. */
const shapeOf = ({ request, status, headers, body, json }: Exchange, mask: Mask): string => {
  if (body === '') return '(no body)';
  const isError = status >= 400 && isObject(json);
  if (isError && !isTokenRequest(request)) return cut(mask(JSON.stringify(json)));
  if (Array.isArray(json) && json.length === 0) return '(an empty list)';
  if (Array.isArray(json)) return `(a list of ${json.length}, the first: ${mask(fieldsOf(json[0]))})`;
  if (json !== undefined) return `(${mask(fieldsOf(json))})`;
  return `(${body.length} characters of ${headers.get(header.contentType) ?? 'an unknown type'}, not JSON)`;
};

/** Masks the URLs in a header field like those of requests. */
const maskLinks = (value: string, mask: Mask): string =>
  value.replace(/https?:\/\/[^\s<>",;]+/g, (url) => (URL.canParse(url) ? maskUrl(url, mask) : url));

/** Writes an exchange for a person. */
export const showExchange = (exchange: Exchange, mask: Mask): ShownExchange => {
  const { request, status, headers } = exchange;
  const sent = Object.entries(request.headers).map(([name, value]) =>
    name === header.authorization ? `${name}: ${value.split(' ', 1)[0]} ***` : `${name}: ${mask(value)}`,
  );
  const received = [...headers]
    .filter(([name]) => shownFields.has(name))
    .map(([name, value]) => `${name}: ${maskLinks(cut(mask(value)), mask)}`);
  return {
    request: [`${request.method} ${maskUrl(request.url, mask)}`, ...sent].join('\n'),
    response: [String(status), ...received, shapeOf(exchange, mask)].join('\n'),
  };
};
