import { listSeparator } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { WholeFamily } from '../families/family.ts';
import type { Wire } from '../families/wire.ts';
import { parseCount } from '../headers/paging.ts';
import type { ListStart } from '../paging/facts.ts';
import { createPageUrls, type PageUrls } from '../paging/page-urls.ts';
import { checkQuery, formatQuery, type Query, type QueryRules, withCheckedParams } from '../query/query.ts';
import { maxPerPageOf } from '../schema/collection.ts';
import { fieldsOf } from '../schema/zod.ts';
import { type ApiContext, toFollowedUrl } from './context.ts';
import { type CollectionEndpoint, collectionUrlOf, withQuery } from './operations.ts';

/** Reads and writes the page numbers in the URLs of an API. */
export const pageUrlsOf = ({ query, firstPage }: WholeFamily): PageUrls =>
  createPageUrls(query.page, firstPage);

/** Names of a comma-separated list. */
const namesIn = (values: readonly string[]): readonly string[] =>
  values.flatMap((value) => value.split(listSeparator));

/**
 * True when a link asks for what a query asks for by one of its parameters. A server may add values of its
 * own to some.
 */
const isKept = (
  { query }: WholeFamily,
  name: string,
  given: readonly string[],
  linked: readonly string[],
): boolean => {
  const named = namesIn(linked);
  if (name === query.sort) return namesIn(given).every((field, place) => field === named[place]);
  if (name === query.fields || name === query.expand)
    return given.length > 0 && namesIn(given).every((each) => named.includes(each));
  return String(given.toSorted()) === String(linked.toSorted());
};

/** An empty value is as good as none: many servers leave it out of their links. */
const isEmpty = (values: readonly string[]): boolean => values.every((value) => value === '');

/**
 * The parameters that do not say which records a list has. Servers clamp the size, and leave their default
 * out of links.
 */
const isFree = ({ query }: WholeFamily, name: string): boolean =>
  name === query.page || name === query.perPage;

/** How a link differs from the query of its list. */
const differenceFrom =
  ({ family, valuesOf }: Wire, query: URLSearchParams) =>
  (link: string): string | undefined => {
    const { searchParams } = new URL(link);
    for (const name of new Set(query.keys())) {
      const given = valuesOf(query, name);
      const linked = valuesOf(searchParams, name);
      if (isFree(family, name) || (isEmpty(given) && isEmpty(linked))) continue;
      // A link that has lost what each list sends gets it back.
      if (linked.length === 0 && Object.hasOwn(family.listParameters, name)) continue;
      if (isEmpty(linked)) return `has lost \`${name}\``;
      if (!isKept(family, name, given, linked)) return `changes \`${name}\``;
    }
    return undefined;
  };

/**
 * Gives a link parameters of its list that it has lost. Some servers leave the page size out of their links,
 * and would continue with pages of another size.
 */
const createWithLost =
  (parameters: Readonly<Record<string, string | null>>) =>
  (link: string): string => {
    const url = new URL(link);
    const lost = Object.entries(parameters).filter(
      ([name, value]) => value !== null && !url.searchParams.has(name),
    );
    if (lost.length === 0) return link;
    for (const [name, value] of lost)
      url.search += `&${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
    return url.href;
  };

/** Why the path of a link is not that of its collection. */
const toPathProblem = ({ base, secrets, wire }: ApiContext, path: string, expected: string): string => {
  const prefix = new URL(base.href).pathname;
  const shown = secrets.mask(path);
  return prefix !== '/' && expected === prefix + path
    ? `from leads to ${shown}, without the path ${prefix} of \`baseUrl\`: the server or its proxy must write links with that path`
    : `from must be the \`next\` of a page of this collection, at ${secrets.mask(expected)}, and leads to ${shown}${wire.otherPathAdvice}`;
};

/** @throws {@link InvalidRequestError} when a query asks for another list than a link leads to */
const checkSameQuery = (
  { family, valuesOf }: Wire,
  query: URLSearchParams,
  link: string,
  isCursor: boolean,
): void => {
  const { page, fields, expand } = family.query;
  const { searchParams } = new URL(link);
  // The `fields` and `expand` of the link decide the type of the records, so they must be given.
  for (const name of new Set([fields, expand, ...query.keys()])) {
    if (name === undefined || name === page) continue;
    const given = valuesOf(query, name);
    const linked = valuesOf(searchParams, name);
    const isInEach = Object.hasOwn(family.listParameters, name);
    if (linked.length > 0 && !isKept(family, name, given, linked)) {
      const advice = isInEach ? 'read the list from its start' : 'pass that of its list';
      throw new InvalidRequestError(`from belongs to a list with another \`${name}\`; ${advice}`);
    }
    // A cursor may hold the whole query.
    if (linked.length === 0 && !isCursor && !isEmpty(given) && !isInEach)
      throw new InvalidRequestError(
        `from is a link without \`${name}\`, which would be ignored; leave \`${name}\` out, or read the list from its start`,
      );
  }
};

/** The parameters of a link that are those of the query of its list, as far as the declaration tells them. */
const queryIn = (link: string, family: WholeFamily, { params }: QueryRules): URLSearchParams => {
  const { query, sortAs, listParameters } = family;
  const direction = typeof sortAs === 'object' ? sortAs.direction : undefined;
  const own = Object.keys((params && fieldsOf(params)) ?? {});
  const inEach = Object.keys(listParameters);
  const known = new Set([query.sort, direction, query.fields, query.expand, ...own, ...inEach]);
  return new URLSearchParams([...new URL(link).searchParams].filter(([name]) => known.has(name)));
};

/**
 * Where a list begins.
 *
 * @throws {@link InvalidRequestError} for an invalid query, and for a `from` of another collection or another
 * query
 */
export const toStart = (
  endpoint: CollectionEndpoint,
  asked: Query & { readonly from?: string | undefined },
): ListStart => {
  const { api, rules } = endpoint;
  const { family } = api.wire;
  const { perPage = '' } = family.query;
  const collectionUrl = collectionUrlOf(endpoint);
  checkQuery(asked, rules);
  const written = formatQuery(withCheckedParams(rules, asked), rules, true);
  const query = new URLSearchParams(written);
  const withParameters = createWithLost(family.listParameters);
  /** @param given - the parameters of the URL, of which links must keep `kept` */
  const startAt = (url: string, isFromStart: boolean, given: URLSearchParams, kept = given): ListStart => ({
    url,
    isFromStart,
    isNumbered: !isFromStart && asked.from === undefined,
    perPage: parseCount(given.get(perPage)),
    maxPerPage: maxPerPageOf(rules),
    withSize: createWithLost({ [perPage]: given.get(perPage) }),
    withParameters,
    differenceOf: differenceFrom(api.wire, kept),
  });
  const { from } = asked;
  if (from === undefined) return startAt(withQuery(collectionUrl, written), (asked.page ?? 1) === 1, query);
  const link = toFollowedUrl(api, from);
  const { pathname, searchParams } = new URL(link);
  const expected = new URL(collectionUrl).pathname;
  if (pathname !== expected && !family.list.anyPath)
    throw new InvalidRequestError(toPathProblem(api, pathname, expected));
  if (asked.page !== undefined)
    throw new InvalidRequestError('`from` and `page` both say where the list begins; leave `page` out');
  const hasNumber = pageUrlsOf(family).numberIn(link) !== undefined;
  // Where numbers alone lead to the next page, a link without one is the first page.
  const isFromStart = !hasNumber && family.list.next === 'number';
  const isCursor = !hasNumber && !isFromStart;
  checkSameQuery(api.wire, query, link, isCursor);
  const start = isCursor ? link : withParameters(link);
  return startAt(start, isFromStart, searchParams, queryIn(start, family, rules));
};
