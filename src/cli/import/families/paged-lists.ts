// The lists of a document that are asked for page by page, or continued by a link, a cursor or an offset;
// those without pages, where it has no others.
import type { WholeFamily } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { idNameIn } from '../../id-names.ts';
import { findItems } from '../../recognise/evidence.ts';
import { hasLink } from '../../recognise/list.ts';
import { findMore, findNextPath } from '../../recognise/next.ts';
import type { SeenResponse } from '../../recognise/observe.ts';
import { jsonResponsesOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { isOfOne } from '../api/urls.ts';
import { type Json, schemaAt, targetOf } from '../json.ts';
import { exampleOf, exampleResponseOf } from './example.ts';
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
  /** The identity that records at a path of the body have; undefined where they have none. */
  readonly identityAt: (items: string) => SeenIdentity | undefined;
}

/** What the records of a list have of the identity. */
export interface SeenIdentity {
  readonly fields: WholeFamily['identity'];
  /** What they call the id. */
  readonly idField: string;
}

const pageNames = ['page', 'pagenumber', 'pageno', 'pageindex'];
const sizeNames = ['perpage', 'pagesize', 'itemsperpage', 'limit', 'size', 'maxresults', 'pagelimit'];

/**
 * The first of some names that a query has, however it is written: `per_page`, `page[size]`. A parameter that
 * takes a list is a filter, such as sizes of clothes; one with a single value says no page.
 */
const findName = (
  document: Json,
  { queryParameters }: Operation,
  names: readonly string[],
): string | undefined => {
  const all = [...queryParameters]
    .filter(([, { schema }]) => {
      const { type, const: only } = targetOf(document, schema);
      return type !== 'array' && only === undefined;
    })
    .map(([name]) => name);
  const found = names.map((name) => all.find((one) => toPlainName(one) === name));
  return found.find((one) => one !== undefined);
};

/** The parameter of the size of a page. */
export const findSize = (document: Json, operation: Operation): string | undefined =>
  findName(document, operation, sizeNames);

/** The parameter of the page. One that takes strings alone is a cursor, as that of the searches of Stripe. */
const findPage = (document: Json, operation: Operation): string | undefined => {
  const name = findName(document, operation, pageNames);
  const { type } = targetOf(document, operation.queryParameters.get(name ?? '')?.schema);
  return type === 'string' ? undefined : name;
};

/** Whether a document says that a response has the link to the next page. */
const isLinked = (example: SeenResponse): boolean =>
  hasLink([example]) || findNextPath(example.body) !== undefined;

/** Whether a list takes a page or a size, or says that more records follow, or where. */
export const mayHavePages = (document: Json, operation: Operation): boolean => {
  const example = exampleResponseOf(document, operation);
  const hasMore = example !== undefined && (isLinked(example) || findMore(example) !== undefined);
  return hasMore || findName(document, operation, [...pageNames, ...sizeNames]) !== undefined;
};

const readIdentity = (document: Json, operation: Operation, items: string): SeenIdentity | undefined => {
  const [content] = jsonResponsesOf(operation);
  if (content === undefined) return undefined;
  const record = targetOf(document, schemaAt(document, content.schema, items)).items;
  const example = exampleOf(document, record);
  const idField = isObject(example) ? idNameIn(example) : undefined;
  if (!isObject(example) || idField === undefined) return undefined;
  return { fields: Object.hasOwn(example, 'self') ? ['id', 'self'] : ['id'], idField };
};

/** Reads each path once, although a list is compared with every preset: records may be large. */
const createIdentityAt = (document: Json, operation: Operation): PagedList['identityAt'] => {
  const known = new Map<string, SeenIdentity | undefined>();
  return (items) => {
    if (!known.has(items)) known.set(items, readIdentity(document, operation, items));
    return known.get(items);
  };
};

const readLists = (document: Json, operations: readonly Operation[]): readonly PagedList[] =>
  operations.flatMap((operation): readonly PagedList[] => {
    if (operation.method !== 'GET' || isOfOne(operation)) return [];
    const example = exampleResponseOf(document, operation);
    if (example === undefined) return [];
    const perPage = findSize(document, operation);
    const page = findPage(document, operation);
    const unnumbered =
      page === undefined ? findUnnumbered(document, operation, perPage !== undefined) : undefined;
    const identityAt = createIdentityAt(document, operation);
    return [{ operation, page, perPage, unnumbered, example, identityAt }];
  });

const leadsOn = ({ page, unnumbered, example }: PagedList): boolean =>
  page !== undefined || unnumbered !== undefined || isLinked(example);

/** Whether the document shows no pages of a list. */
export const isWhole = (list: PagedList): boolean => list.perPage === undefined && !leadsOn(list);

/** The path of one resource without the parameter of its `id`; undefined for any other path. */
const pathAboveOne = ({ path }: Operation): string | undefined => /^(.+)\/\{[^{}]+\}\/?$/.exec(path)?.[1];

/**
 * The lists without pages whose records have an `id` and no `self`, which those of the conventions have, and
 * that have a path for one record.
 */
const findWholeLists = (
  lists: readonly PagedList[],
  operations: readonly Operation[],
): readonly PagedList[] => {
  const readOnes = operations.filter(({ method }) => method === 'GET').map(pathAboveOne);
  return lists.filter((list) => {
    const items = findItems(list.example.body);
    const identity = items === undefined ? undefined : list.identityAt(items);
    const isRead = readOnes.includes(list.operation.path.replace(/\/$/, ''));
    return isWhole(list) && isRead && identity?.fields.length === 1;
  });
};

/**
 * The lists of a document that continue as most do: by numbers of pages, or without. A family has one way.
 * Where no list has pages, those that are read whole.
 */
export const findPagedLists = (document: Json, operations: readonly Operation[]): readonly PagedList[] => {
  const lists = readLists(document, operations);
  const found = lists.filter(leadsOn);
  if (found.length === 0) return findWholeLists(lists, operations);
  // A list that takes no parameter of pages tells of a family where no other list does.
  const asked = found.filter((one) =>
    [one.page, one.perPage, one.unnumbered].some((part) => part !== undefined),
  );
  const all = asked.length > 0 ? asked : found;
  const numbered = all.filter(({ page }) => page !== undefined);
  return numbered.length * 2 >= all.length ? numbered : all.filter(({ page }) => page === undefined);
};
