// Servers that page in all ways that are usual, each with the document that a person would write of it.
import type { ServerResponse } from 'node:http';
import { documentOf, query, type Schema } from './odd-document.ts';

const records = 250;
const maxPerPage = 100;
const rows = Array.from({ length: records }, (_, index) => ({ id: index + 1, name: `n${index + 1}` }));

const integer = { type: 'integer' };
const item = { type: 'object', required: ['id'], properties: { id: integer, name: { type: 'string' } } };
const array = { type: 'array', items: item };
const object = (properties: Schema, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties,
});

/** A page of a server, and its URLs. */
interface Page {
  readonly number: number;
  readonly items: readonly unknown[];
  readonly last: number;
  /** The URL of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The number of records up to the next page, as a cursor; null on the last one. */
  readonly cursor: string | null;
}

export interface ListVariant {
  /** Header fields of a list, as the document names them. */
  readonly headers?: readonly string[];
  readonly body?: Schema;
  readonly names?: readonly [page: string, perPage: string];
  /** The type of the first parameter where it counts records: that of an offset, or of a cursor. */
  readonly counted?: 'integer' | 'string';
  readonly firstPage?: 0 | 1;
  /** True where the document names no parameter, so that its family has no name for a size. */
  readonly takesNothing?: boolean;
  readonly path?: string;
  /** What is read of the list with each size: all of it by default. */
  readonly expected?: readonly unknown[];
  /** Whether the import says that its document does not tell how the list continues. */
  readonly isAdvised?: boolean;
  /** What the server sends. Headers that are undefined are not sent. */
  readonly send: (page: Page) => {
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string | undefined>>;
  };
}

export const whole = [records, records, records, records];
const refused = whole.map(() => 'PagingError');
/** A family without a name for the size of a page. */
const withoutSizes = [records, ...Array<string>(3).fill('InvalidRequestError')];

const linkTo = ({ next }: Page) => (next === undefined ? undefined : `<${next}>; rel="next"`);

export const variants: Readonly<Record<string, ListVariant>> = {
  'Link alone': {
    headers: ['Link'],
    send: (page) => ({ body: page.items, headers: { link: linkTo(page) } }),
  },
  'X-Total alone': {
    headers: ['X-Total'],
    send: ({ items }) => ({ body: items, headers: { 'x-total': String(records) } }),
  },
  'X-Total-Count alone, below /v1': {
    headers: ['X-Total-Count'],
    path: '/v1/things',
    send: ({ items }) => ({ body: items, headers: { 'x-total-count': String(records) } }),
  },
  'X-WP-Total alone': {
    headers: ['X-WP-Total'],
    send: ({ items }) => ({ body: items, headers: { 'x-wp-total': String(records) } }),
  },
  'X-Total, X-Total-Pages and X-Page': {
    headers: ['X-Total', 'X-Total-Pages', 'X-Page'],
    send: ({ items, last, number }) => ({
      body: items,
      headers: { 'x-total': String(records), 'x-total-pages': String(last), 'x-page': String(number) },
    }),
  },
  'X-Total-Pages alone': {
    headers: ['X-Total-Pages'],
    send: ({ items, last }) => ({ body: items, headers: { 'x-total-pages': String(last) } }),
  },
  'Link and X-Total': {
    headers: ['Link', 'X-Total'],
    send: (page) => ({ body: page.items, headers: { link: linkTo(page), 'x-total': String(records) } }),
  },
  'perPage and X-Total': {
    headers: ['X-Total'],
    names: ['page', 'perPage'],
    send: ({ items }) => ({ body: items, headers: { 'x-total': String(records) } }),
  },
  'pageNumber from 0, pageSize and X-Total': {
    headers: ['X-Total'],
    names: ['pageNumber', 'pageSize'],
    firstPage: 0,
    send: ({ items }) => ({ body: items, headers: { 'x-total': String(records) } }),
  },
  'a total in the body': {
    body: object({ data: array, total: integer }),
    send: ({ items }) => ({ body: { data: items, total: records } }),
  },
  'a total in an object of the body': {
    body: object({ results: array, meta: object({ pagination: object({ total: integer }) }) }),
    send: ({ items }) => ({ body: { results: items, meta: { pagination: { total: records } } } }),
  },
  'a number of pages in the body': {
    body: object({ items: array, pages: integer }),
    send: ({ items, last }) => ({ body: { items, pages: last } }),
  },
  'a count of the page in the body': {
    expected: refused,
    isAdvised: true,
    body: object({ data: array, count: integer }),
    send: ({ items }) => ({ body: { data: items, count: items.length } }),
  },
  'a next page in the body, null on the last one': {
    body: object({ results: array, next: { type: ['string', 'null'], format: 'uri' } }),
    send: ({ items, next = null }) => ({ body: { results: items, next } }),
  },
  'a next page in the body, missing on the last one': {
    body: object({ data: array, links: object({ next: { type: 'string' } }) }),
    send: ({ items, next }) => ({ body: { data: items, links: { next } } }),
  },
  'a next page and a count in the body': {
    body: object({ results: array, count: integer, next: { type: ['string', 'null'] } }),
    names: ['page', 'page_size'],
    send: ({ items, next = null }) => ({ body: { results: items, count: records, next } }),
  },
  'Link alone, and takes no page': {
    headers: ['Link'],
    names: ['before_id', 'limit'],
    counted: 'string',
    send: (page) => ({ body: page.items, headers: { link: linkTo(page) } }),
  },
  'a cursor in the body': {
    names: ['cursor', 'limit'],
    counted: 'string',
    body: object({ channels: array, response_metadata: object({ next_cursor: { type: 'string' } }) }),
    send: ({ items, cursor }) => ({
      body: { channels: items, response_metadata: { next_cursor: cursor ?? '' } },
    }),
  },
  'a cursor in the body, null on the last page': {
    names: ['start_cursor', 'page_size'],
    counted: 'string',
    body: object({ results: array, next_cursor: { type: ['string', 'null'] } }, ['results', 'next_cursor']),
    send: ({ items, cursor }) => ({ body: { results: items, next_cursor: cursor } }),
  },
  'a token of the next page, missing on the last one': {
    names: ['pageToken', 'pageSize'],
    counted: 'string',
    body: object({ files: array, nextPageToken: { type: 'string' } }),
    send: ({ items, cursor }) => ({ body: { files: items, ...(cursor && { nextPageToken: cursor }) } }),
  },
  'a cursor in an object, and takes no size': {
    names: ['after', 'first'],
    counted: 'string',
    expected: withoutSizes,
    body: object({ rows: array, pageInfo: object({ endCursor: { type: ['string', 'null'] } }) }),
    send: ({ items, cursor }) => ({ body: { rows: items, pageInfo: { endCursor: cursor } } }),
  },
  'a total, and takes an offset': {
    names: ['offset', 'limit'],
    counted: 'integer',
    body: object({ items: array, total: integer, offset: integer, limit: integer }),
    send: ({ items, number }) => ({
      body: { items, total: records, offset: number, limit: items.length },
    }),
  },
  'a total in a header, and takes an offset': {
    headers: ['X-Total-Count'],
    names: ['startAt', 'maxResults'],
    counted: 'integer',
    send: ({ items }) => ({ body: items, headers: { 'x-total-count': String(records) } }),
  },
  'a count of the page, and takes an offset': {
    names: ['skip', 'limit'],
    counted: 'integer',
    body: object({ data: array, count: integer }),
    send: ({ items }) => ({ body: { data: items, count: items.length } }),
  },
  'a next page in the body, and takes an offset': {
    names: ['offset', 'limit'],
    counted: 'integer',
    body: object({ count: integer, next: { type: ['string', 'null'], format: 'uri' }, results: array }),
    send: ({ items, next = null }) => ({ body: { count: records, next, results: items } }),
  },
  'a next page in the body, and takes no parameter': {
    takesNothing: true,
    expected: withoutSizes,
    body: object({ results: array, next: { type: ['string', 'null'], format: 'uri' } }),
    send: ({ items, next = null }) => ({ body: { results: items, next } }),
  },
  'a next page called `nextPage`, and takes no parameter': {
    takesNothing: true,
    expected: withoutSizes,
    body: object({ items: array, nextPage: { type: 'string', format: 'uri' } }),
    send: ({ items, next }) => ({ body: { items, nextPage: next } }),
  },
  'a next page by a name with a dot, and takes no parameter': {
    takesNothing: true,
    expected: withoutSizes,
    body: object({ value: array, '@odata.nextLink': { type: 'string' } }),
    send: ({ items, next }) => ({ body: { value: items, '@odata.nextLink': next } }),
  },
  'Link alone, and takes no parameter': {
    takesNothing: true,
    expected: withoutSizes,
    headers: ['Link'],
    send: (page) => ({ body: page.items, headers: { link: linkTo(page) } }),
  },
  'nothing, and Link': {
    isAdvised: true,
    send: (page) => ({ body: page.items, headers: { link: linkTo(page) } }),
  },
  'nothing, and X-Total': {
    expected: refused,
    isAdvised: true,
    send: ({ items }) => ({ body: items, headers: { 'x-total': String(records) } }),
  },
  'an array of records in an object, and nothing': {
    expected: refused,
    isAdvised: true,
    body: object({ data: array }),
    send: ({ items }) => ({ body: { data: items } }),
  },
};

export const documentFor = ({
  headers = [],
  body = array,
  names,
  counted,
  firstPage = 1,
  takesNothing = false,
  path = '/things',
}: ListVariant) => {
  const [page, perPage] = names ?? ['page', 'per_page'];
  const parameters = [
    query(page, counted === undefined ? { ...integer, default: firstPage } : { type: counted }),
    query(perPage, { ...integer, maximum: maxPerPage }),
  ];
  const fields = Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }]));
  const get = {
    parameters: takesNothing ? [] : parameters,
    responses: {
      200: { description: '', headers: fields, content: { 'application/json': { schema: body } } },
    },
  };
  return documentOf({ [path]: { get } }, {}, { security: [] });
};

export const respond = (variant: ListVariant, url: URL, response: ServerResponse): void => {
  const { names, counted } = variant;
  const isCounted = counted !== undefined;
  const { firstPage = isCounted ? 0 : 1 } = variant;
  const [page, perPage] = names ?? ['page', 'per_page'];
  const number = Number(url.searchParams.get(page) ?? firstPage);
  const size = Math.min(Number(url.searchParams.get(perPage) ?? 30), maxPerPage);
  const start = isCounted ? number : (number - firstPage) * size;
  const last = Math.ceil(records / size);
  const next = new URL(url);
  next.searchParams.set(page, String(isCounted ? start + size : number + 1));
  const sent = variant.send({
    number,
    items: rows.slice(start, start + size),
    last,
    next: start + size < records ? next.href : undefined,
    cursor: start + size < records ? String(start + size) : null,
  });
  for (const [name, value] of Object.entries(sent.headers ?? {}))
    if (value !== undefined) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(sent.body));
};
