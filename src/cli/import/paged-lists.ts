// The lists of a document that are asked for page by page, or continued by a link, a cursor or an offset.
import { hasLink } from '../recognise/list.ts';
import { findMore, findNextPath } from '../recognise/next.ts';
import type { SeenResponse } from '../recognise/observe.ts';
import { exampleResponseOf } from './example.ts';
import { type Json, targetOf } from './json.ts';
import { isOfOne, type Operation } from './operations.ts';
import { findUnnumbered, toPlainName, type Unnumbered } from './unnumbered-lists.ts';

/** A list, and what the document says of it. */
export interface PagedList {
  readonly operation: Operation;
  /** The name of the parameter of the page; undefined where a link, a cursor or an offset leads on. */
  readonly page: string | undefined;
  /** The name of the parameter of its size; undefined without one. */
  readonly perPage: string | undefined;
  /** The cursor or the offset that leads on, if the list has one. */
  readonly unnumbered: Unnumbered | undefined;
  /** A response as the document describes it. */
  readonly example: SeenResponse;
}

const pageNames = ['page', 'pagenumber', 'pageno', 'pageindex'];
const sizeNames = ['perpage', 'pagesize', 'itemsperpage', 'limit', 'size', 'maxresults', 'pagelimit'];

/**
 * The first of some names that a query has, however it is written: `per_page`, `page[size]`. A parameter that
 * takes a list is a filter, such as sizes of clothes.
 */
const findName = (
  document: Json,
  { queryParameters }: Operation,
  names: readonly string[],
): string | undefined => {
  const all = [...queryParameters]
    .filter(([, { schema }]) => targetOf(document, schema).type !== 'array')
    .map(([name]) => name);
  const found = names.map((name) => all.find((one) => toPlainName(one) === name));
  return found.find((one) => one !== undefined);
};

/** The parameter of the page. One that takes strings alone is a cursor, as that of the searches of Stripe. */
const findPage = (document: Json, operation: Operation): string | undefined => {
  const name = findName(document, operation, pageNames);
  const { type } = targetOf(document, operation.queryParameters.get(name ?? '')?.schema);
  return type === 'string' ? undefined : name;
};

/** Whether a list takes a page or a size, or says that more records follow. */
export const mayHavePages = (document: Json, operation: Operation): boolean => {
  const example = exampleResponseOf(document, operation);
  const hasMore = example !== undefined && findMore(example) !== undefined;
  return hasMore || findName(document, operation, [...pageNames, ...sizeNames]) !== undefined;
};

/** The lists of a document that take a page, or that have what leads on. */
const findAllLists = (document: Json, operations: readonly Operation[]): readonly PagedList[] =>
  operations.flatMap((operation): readonly PagedList[] => {
    const example = exampleResponseOf(document, operation);
    if (operation.method !== 'GET' || isOfOne(operation) || example === undefined) return [];
    const perPage = findName(document, operation, sizeNames);
    const page = findPage(document, operation);
    const unnumbered =
      page === undefined ? findUnnumbered(document, operation, perPage !== undefined) : undefined;
    const isLinked = hasLink([example]) || findNextPath(example.body) !== undefined;
    const leadsOn = page !== undefined || unnumbered !== undefined || (isLinked && perPage !== undefined);
    return leadsOn ? [{ operation, page, perPage, unnumbered, example }] : [];
  });

/**
 * The lists of a document that continue as most do: by numbers of pages, or without. A family has one way.
 */
export const findPagedLists = (document: Json, operations: readonly Operation[]): readonly PagedList[] => {
  const all = findAllLists(document, operations);
  const numbered = all.filter(({ page }) => page !== undefined);
  return numbered.length * 2 >= all.length ? numbered : all.filter(({ page }) => page === undefined);
};
