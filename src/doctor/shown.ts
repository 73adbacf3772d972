import { formType, header, paginationHeader } from '../conventions.ts';
import type { Mask } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { isObject } from '../options.ts';
import type { Exchange } from './exchange.ts';
import type { ShownExchange } from './finding.ts';

const shownFields: ReadonlySet<string> = new Set(Object.values({ ...header, ...paginationHeader }));

const cut = (value: string): string => (value.length > 300 ? `${value.slice(0, 300)}…` : value);

const namesIn = (value: unknown): string =>
  isObject(value) ? `{ ${Object.keys(value).slice(0, 12).join(', ')} }` : typeof value;

/** Describes a body without the values of its resources, which are other people's data. */
const shapeOf = ({ request, status, body, json }: Exchange): string => {
  if (body === '') return '(no body)';
  if (json === undefined) return `(${body.length} characters, not JSON)`;
  const isTokenRequest = request.headers[header.contentType] === formType;
  if (status >= 400 && isObject(json) && !isTokenRequest) return JSON.stringify(json);
  return Array.isArray(json) ? `(a list of ${json.length}: ${namesIn(json[0])})` : `(${namesIn(json)})`;
};

export const showExchange = (exchange: Exchange, mask: Mask): ShownExchange => {
  const { request, status, headers } = exchange;
  const sent = Object.entries(request.headers).map(([name, value]) =>
    name === header.authorization ? `${name}: ${value.split(' ', 1)[0]} ***` : `${name}: ${mask(value)}`,
  );
  const received = [...headers]
    .filter(([name]) => shownFields.has(name))
    .map(([name, value]) => `${name}: ${cut(mask(value))}`);
  return {
    request: [`${request.method} ${maskUrl(request.url, mask)}`, ...sent].join('\n'),
    response: [String(status), ...received, cut(mask(shapeOf(exchange)))].join('\n'),
  };
};
