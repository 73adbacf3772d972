import { header, pageRelations } from '../../conventions.ts';
import type { NextUrl } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { parseLink } from '../../headers/paging.ts';
import { isObject } from '../../options.ts';
import type { SeenResponse } from './observe.ts';

// What leads from one page of a list to the next.

const deepest = 3;

/** The path of a member of an object at a path. */
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The paths of the objects in a body, at most three names deep: the body itself first, then those in it. */
export const objectsIn = (body: unknown): readonly string[] => {
  const found = isObject(body) ? [''] : [];
  for (const path of found) {
    const depth = path === '' ? 0 : path.split('.').length;
    const members = Object.entries(Object(valueAt(body, path)));
    // A dot separates the names of a path.
    const inner = members.filter(([name, value]) => isObject(value) && !name.includes('.'));
    if (depth < deepest) found.push(...inner.map(([name]) => below(path, name)));
  }
  return found;
};

/** The names of the URL of the next page; that of Hydra, those of Laravel without resources and of OData. */
const nextNames = [
  'next',
  'hydra:next',
  'next_page_url',
  'nextPageUrl',
  'next_url',
  'nextUrl',
  'next_link',
  'nextLink',
  '@odata.nextLink',
];
/** Names of a URL, as that of Zendesk, which elsewhere are those of a number or a cursor with a null too. */
const otherNextNames = ['next_page', 'nextPage'];
/** The same of the page before, which the first page has none of. */
const previousNames = [
  'prev',
  'previous',
  'prev_page_url',
  'prevPageUrl',
  'previous_url',
  'previousUrl',
  'previous_link',
  'prevLink',
  'previous_page',
  'previousPage',
];

/** A number is that of a page, and any other string a cursor. */
const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:https?:\/\/|[/?])|\?[^=]+=/.test(value);

/**
 * Where the body has the URL of the next page, or its null, and in which object; undefined where it has none.
 */
const findNextUrl = (body: unknown): { readonly path: string; readonly parent: string } | undefined => {
  const placesOf = (names: readonly string[]) =>
    objectsIn(body).flatMap((parent) => names.map((name) => ({ path: below(parent, name), parent })));
  // In HAL and in JSON:API, a link may be an object with the URL in it.
  const places = placesOf(nextNames).flatMap((link) => [link, { ...link, path: `${link.path}.href` }]);
  return (
    // A null is that of the last page.
    places.find(({ path }) => valueAt(body, path) === null || isUrl(valueAt(body, path))) ??
    placesOf(otherNextNames).find(({ path }) => isUrl(valueAt(body, path)))
  );
};

/** The path of the URL of the next page in a body; undefined where it has none. */
export const findNextPath = (body: unknown): string | undefined => findNextUrl(body)?.path;

/**
 * Where the body has the URL of the next page; undefined where it has none. The last page lacks it, unless a
 * page has null for a link that it does not have.
 */
export const findNext = (body: unknown): NextUrl | undefined => {
  const found = findNextUrl(body);
  if (found === undefined) return undefined;
  const { path, parent } = found;
  const absent = [path, ...previousNames.map((name) => below(parent, name))];
  const hasNull = absent.some((one) => valueAt(body, one) === null);
  return hasNull ? { body: path } : { body: path, optional: true };
};

/** The links of the header that are about pages; undefined where it has none of them. */
const pageLinksIn = (headers: Headers) => {
  const links = parseLink(headers.get(header.link) ?? '');
  return links && pageRelations.some((relation) => links.has(relation)) ? links : undefined;
};

/** True where the `Link` header is about pages. Some servers name their documentation there. */
export const hasPageLinks = ({ headers }: SeenResponse): boolean => pageLinksIn(headers) !== undefined;

/** The URL of the next page, which a header or the body has; undefined where none has it. */
const nextUrlOf = ({ headers, body, url }: SeenResponse): URL | undefined => {
  const inBody = valueAt(body, findNextPath(body) ?? 'next');
  const next = pageLinksIn(headers)?.get('next') ?? inBody;
  return typeof next === 'string' && URL.canParse(next, url.href) ? new URL(next, url) : undefined;
};

/** The parameters in the URL of the next page; undefined without one. */
export const nextParameters = (response: SeenResponse): URLSearchParams | undefined =>
  nextUrlOf(response)?.searchParams;

/**
 * The origin of the next page, where it is another one than that of the list. Behind a proxy that ends TLS,
 * links with `http:` mean the same one.
 */
export const otherOriginOf = (response: SeenResponse): string | undefined => {
  const { origin, host } = nextUrlOf(response) ?? response.url;
  const isSame = [origin, `https://${host}`].includes(response.url.origin);
  return isSame ? undefined : origin;
};

/** True where the URL of the next page has another path than the list, which the server may not serve. */
export const leadsElsewhere = ({ url, body }: SeenResponse): boolean => {
  const next = valueAt(body, findNextPath(body) ?? '');
  if (typeof next !== 'string' || !URL.canParse(next, url.href)) return false;
  const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, '');
  return pathOf(new URL(next, url)) !== pathOf(url);
};

/** The first member of a body, or of an object in it, whose name has a form; undefined for none. */
const findMember = (
  body: unknown,
  form: RegExp,
  isValue: (value: unknown) => boolean = () => true,
): string | undefined =>
  objectsIn(body)
    .flatMap((parent) => Object.keys(Object(valueAt(body, parent))).map((name) => below(parent, name)))
    .find((path) => form.test(path.slice(path.lastIndexOf('.') + 1)) && isValue(valueAt(body, path)));

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/**
 * Where a body without the URL of the next page has a cursor, as Google, AWS and Notion name it.
 *
 * @param isUsual - false where it may have the name that FastAPI, Square, HubSpot or Airtable gives it, which
 * is a number elsewhere
 */
export const findCursor = (response: SeenResponse, isUsual: boolean): string | undefined => {
  const { body } = response;
  if (hasPageLinks(response) || findNextPath(body) !== undefined) return undefined;
  const usual = /^(?:next_?(?:page_?)?(?:cursor|token)|continuation_?token|(?:end|after)_?cursor)$/i;
  const other = isUsual ? undefined : findMember(body, /^(?:next_?page|cursor|after|offset)$/i, isText);
  return findMember(body, usual) ?? other;
};

/** Where a body says whether more records follow, as that of Stripe. */
export const findMore = ({ body }: SeenResponse): string | undefined =>
  findMember(body, /^(?:has_?(?:more|next(?:_?page)?)|(?:is_?)?truncated)$/i) ??
  findMember(body, /^more$/i, (value) => typeof value === 'boolean');
