import type { $ZodType } from 'zod/v4/core';
import { pathSeparator } from '../conventions.ts';
import { itemPathOf, type ListForm, type WholeFamily } from './family.ts';
import { type RawItem, readInvalid } from './invalid.ts';
import { isContentRange, nextAfterLastOf, offsetParameterOf } from './list-form.ts';
import { type FamilyPage, readFamilyPage } from './page.ts';
import { bodyWith, valueAt } from './path.ts';
import { createPositionByTotal, type PositionByTotal } from './position.ts';
import { formatFamilyQuery, type Parameter, type QueryParts, valuesOf } from './query.ts';

/**
 * How the requests of an API are written and its responses are read. The client has one for the conventions;
 * that of a family is part of its declarations, so that a program without a family does not load it.
 */
export interface Wire {
  /** The data of the family. */
  readonly family: WholeFamily;
  /**
   * The parameters of a query in its names, whose values errors and events show. Those that each list sends
   * may hold a key.
   */
  readonly parameters: readonly string[];
  /** How a space in a query is sent. Some servers, such as those of OData, take no plus sign for one. */
  readonly space: '+' | '%20';
  /** The parameters of a query, as they are sent. */
  formatQuery(query: QueryParts, isList: boolean, resource?: $ZodType): readonly Parameter[];
  /** The values of a parameter, in a form in which those of a query and of its links are the same. */
  valuesOf(query: URLSearchParams, name: string): readonly string[];
  /** The JSON of a request body, for what the conventions send. */
  toBody(value: unknown, resource: $ZodType): unknown;
  /** The resource in the JSON of a response to a request of a method. */
  toResource(body: unknown, method: string): unknown;
  /** A value of a response, whose resources have `id`. */
  readIds(value: unknown, schema: $ZodType): unknown;
  /** A value of a request, whose resources have the server's name for `id`. */
  writeIds(value: unknown, schema: $ZodType): unknown;
  /** The statuses of a list response. */
  readonly listStatuses: readonly number[];
  /**
   * The parts of a list response.
   *
   * @param url - that was requested
   * @param hasTotals - whether the endpoint supplies totals (§4.5.1)
   * @param isPaged - whether the collection declares `paging`
   */
  readPage(body: unknown, headers: Headers, url: string, hasTotals?: boolean, isPaged?: boolean): FamilyPage;
  /**
   * The items of an error body (§2.3), empty where it names no invalid fields. Undefined for the form of the
   * conventions.
   */
  readonly readItems: ((body: unknown, status: number) => readonly RawItem[]) | undefined;
  /** Where a page stands by its total, where the family says `next: 'number'`. */
  readonly positionByTotal: PositionByTotal | undefined;
  /** Ends the message about a link to another path than that of its collection. */
  readonly otherPathAdvice: string;
  /** What is wrong with one of its collections in an API of the conventions. */
  readonly otherApiProblem: string;
}

/** The parameters of a query that have a meaning in a family. */
export const parametersOf = ({ query, sortAs, list }: WholeFamily): readonly string[] => [
  ...Object.values(query),
  offsetParameterOf(list) ?? nextAfterLastOf(list)?.lastId ?? [],
  ...(typeof sortAs === 'object' ? [sortAs.direction] : []),
];

/** A server that sends `Content-Range` may respond with 206 to a request for a page (RFC 9110 §15.3.7). */
const listStatusesOf = ({ totalCount }: ListForm): readonly number[] =>
  isContentRange(totalCount) ? [200, 206] : [200];

/** The items of an error body. Their resource is not known: each name of an id in a path becomes `id`. */
const readItems = (body: unknown, { invalid, idField }: WholeFamily): readonly RawItem[] =>
  readInvalid(body, invalid).map(({ field, ...item }) => {
    const names = field.split(pathSeparator).map((name) => (name === idField ? 'id' : name));
    return { ...item, field: names.join(pathSeparator) };
  });

/** The wire of a family, without what needs the schemas of its resources. */
export const createWire = (family: WholeFamily): Wire => ({
  family,
  parameters: parametersOf(family),
  space: '%20',
  formatQuery: (query, isList) => formatFamilyQuery(query, family, isList),
  valuesOf,
  toBody: (value) => bodyWith(family.body, value),
  toResource: (body, method) => valueAt(body, itemPathOf(family, method)),
  readIds: (value) => value,
  writeIds: (value) => value,
  listStatuses: listStatusesOf(family.list),
  readPage: (body, headers, url, hasTotals, isPaged) =>
    readFamilyPage(body, headers, family, url, hasTotals, isPaged),
  readItems: (body, status) =>
    family.invalid.statuses.some((one) => one === status) ? readItems(body, family) : [],
  positionByTotal: family.list.next === 'number' ? createPositionByTotal(family.clampsSize) : undefined,
  otherPathAdvice: '; if the links of the server lead there, declare list.anyPath',
  otherApiProblem: `it is declared with the family "${family.name}" and its API with "conventions"; take collection and defineApi of one family()`,
});
