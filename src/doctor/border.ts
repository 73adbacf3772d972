import { header, listSeparator, paginationHeader } from '../conventions.ts';
import type { ListForm, WholeFamily } from '../families/family.ts';
import { describePlace } from '../families/list-form.ts';
import type { QueryParts } from '../families/query.ts';
import type { Wire as FamilyWire } from '../families/wire.ts';
import { isObject } from '../options.ts';
import { type CollectionOptions, suppliesTotals } from '../schema/collection.ts';
import type { Schema } from '../schema/types/shape.ts';
import {
  type Exchange,
  type Json,
  type Names,
  type Parameters,
  parseJson,
  type Shown,
  type WireRequest,
} from './exchange.ts';

/**
 * Where a family is translated, as the client does it: the rules ask and read as the conventions do. A
 * finding shows what was sent.
 */
export interface Border {
  /** The end of each path. */
  readonly end: '' | '/';
  /** False for the conventions, which are read as they are sent. */
  readonly isTranslated: boolean;
  readonly shown: Shown | undefined;
  /** The query of a list, or of a resource, as it is sent. */
  toSearch(query: Parameters, isList: boolean): URLSearchParams;
  /** The body of a write, as it is sent. */
  toBody(json: string): string;
  /** What a response says. `itemUrl` is the URL of a resource. */
  read(exchange: Exchange, isList: boolean, itemUrl: (record: Json) => string): Exchange;
}

const asSent: Border = {
  isTranslated: false,
  end: '',
  shown: undefined,
  toSearch: (query) => new URLSearchParams(query as Readonly<Record<string, string>>),
  toBody: (json) => json,
  read: (exchange) => exchange,
};

const namesIn = (list: string | number | undefined): readonly string[] | undefined =>
  list === undefined ? undefined : String(list).split(listSeparator);

const toQueryParts = (query: Parameters): QueryParts => {
  const { page, perPage, sort, fields, expand } = query;
  return {
    sort: namesIn(sort),
    fields: namesIn(fields),
    expand: namesIn(expand),
    page: page === undefined ? undefined : Number(page),
    perPage: perPage === undefined ? undefined : Number(perPage),
  };
};

/** A list, with its numbers and its next page where the conventions have them. */
const readList = (exchange: Exchange, wire: FamilyWire, hasTotals: boolean): Exchange => {
  const { items, links, numbers, places, checkEnd } = wire.readPage(
    exchange.json,
    exchange.headers,
    exchange.request.url,
    hasTotals,
  );
  const headers = new Headers(exchange.headers);
  for (const name of [header.link, ...Object.values(paginationHeader)]) headers.delete(name);
  const { totalCount, totalPages, number, size } = numbers;
  const fields = { totalCount, totalPages, currentPage: number, pageSize: size };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers.set(paginationHeader[name as keyof typeof fields], String(value));
  }
  const next = links?.get('next');
  if (next !== undefined) headers.set(header.link, `<${next}>; rel="next"`);
  const isEnd = next === undefined && (totalCount ?? totalPages) === undefined;
  const endProblem = isEnd ? checkEnd?.(Array.isArray(items) ? items.length : 0) : undefined;
  const missing = places?.missingNumber ?? places?.missingNext ?? places?.missingTotal ?? endProblem;
  return { ...exchange, headers, json: items ?? null, missing };
};

/**
 * An error: invalid fields have the status and the items of the conventions, and a JSON body has a summary.
 */
const readError = (exchange: Exchange, { family, readItems }: FamilyWire): Exchange => {
  const { status, json } = exchange;
  if (json === undefined) return exchange;
  const errors = readItems?.(json, status) ?? [];
  const { statuses } = family.invalid;
  const isInvalid = statuses.some((one) => one === status);
  const described = { message: family.name, ...(errors.length > 0 && { errors }) };
  return { ...exchange, status: isInvalid ? 400 : status, json: described };
};

/** The response to a write. One that is not as the family has it gets a status that breaks the rule. */
const readWritten = (
  exchange: Exchange,
  { family, toResource }: FamilyWire,
  itemUrl: (record: Json) => string,
): Exchange => {
  const { status, request } = exchange;
  const json = toResource(exchange.json, request.method) ?? null;
  const created = isObject(json) && json.id !== undefined ? json : undefined;
  if (request.method === 'POST') {
    const isCreated = family.created.some((one) => one === status);
    const headers = new Headers(exchange.headers);
    // No family says that a response has it.
    if (created !== undefined) headers.set(header.location, itemUrl(created));
    return { ...exchange, status: isCreated ? 201 : 200, headers, json };
  }
  const done = { ...exchange, status: 204, body: '', json: undefined };
  if (request.method === 'DELETE') return status === 200 ? done : exchange;
  if (family.written === 'nothing') return exchange;
  const missing = status === 200 && created !== undefined ? undefined : 'the resource';
  return missing === undefined ? done : { ...exchange, status: 200, missing };
};

const placesIn = ({ list }: WholeFamily) => {
  const { totalCount, totalPages, number: currentPage, size: pageSize }: ListForm = list;
  return { totalCount, totalPages, currentPage, pageSize };
};

const namesOf = ({ method }: WireRequest, family: WholeFamily): Names => ({
  status: (status) => {
    if (status === 201) return family.created.join(' or ');
    if (status === 400) return family.invalid.statuses.join(' or ');
    const isResource = status === 204 && family.written === 'resource' && method !== 'DELETE';
    return isResource ? '200 with the resource' : String(status);
  },
  field: (name) => {
    const place = placesIn(family)[name];
    return place === undefined ? paginationHeader[name] : describePlace(place);
  },
});

const shownIn = (wire: FamilyWire): Shown => ({
  parameters: wire.parameters,
  fields: Object.values(placesIn(wire.family)).flatMap((place) =>
    place !== undefined && 'header' in place ? [place.header.toLowerCase()] : [],
  ),
});

/** The wire of a family, whose responses have `id` where a resource of this schema has it. */
const readingIds = (wire: FamilyWire, resource: Schema): FamilyWire => {
  const readIds = (value: unknown): unknown => wire.readIds(value, resource);
  return {
    ...wire,
    toResource: (body, method) => readIds(wire.toResource(body, method)),
    readPage: (...given) => {
      const page = wire.readPage(...given);
      return { ...page, items: readIds(page.items) };
    },
  };
};

const translate = (sent: FamilyWire, resource: Schema, hasTotals: boolean): Border => {
  const wire = readingIds(sent, resource);
  const { family, formatQuery, toResource } = wire;
  return {
    end: family.trailingSlash ? '/' : '',
    isTranslated: true,
    shown: shownIn(wire),
    toSearch: (query, isList) => {
      const written = formatQuery(toQueryParts(query), isList, resource);
      return new URLSearchParams(written.map(([name, value]) => [name, value]));
    },
    toBody: (json) => {
      const value = parseJson(json);
      return value === undefined ? json : JSON.stringify(wire.toBody(value, resource));
    },
    read: (exchange, isList, itemUrl) => {
      const { status, request, json } = exchange;
      const isRead = request.method === 'GET';
      const translated = (): Exchange => {
        if (status >= 400) return readError(exchange, wire);
        if (status >= 300 || status === 202 || request.method === 'OPTIONS') return exchange;
        if (!isRead) return readWritten(exchange, wire, itemUrl);
        if (json === undefined) return exchange;
        return isList
          ? readList(exchange, wire, hasTotals)
          : { ...exchange, json: toResource(json, request.method) ?? null };
      };
      return { ...translated(), sent: exchange, names: namesOf(request, family) };
    },
  };
};

/**
 * The border of a collection or an endpoint of an API; one of the conventions is read as it is sent.
 *
 * @param resource - the schema of its resource, or of a response
 * @param paging - how a collection pages
 */
export const createBorder = (
  wire: FamilyWire | undefined,
  resource: Schema,
  paging?: CollectionOptions['paging'],
): Border => (wire === undefined ? asSent : translate(wire, resource, suppliesTotals(paging)));
