import { header } from '../../conventions.ts';
import type { ListForm, Place, WholeFamily } from '../../families/family.ts';
import { isContentRange, nextAfterLastOf, nextPlaceOf, offsetParameterOf } from '../../families/list-form.ts';
import { valueAt } from '../../families/path.ts';
import { findItems } from './evidence.ts';
import { findCursor, findMore, findNext, hasPageLinks, leadsElsewhere, otherOriginOf } from './next.ts';
import { findNumbers, isPageCount } from './numbers.ts';
import type { SeenResponses } from './observe.ts';
import { isByOffset } from './offset.ts';

/** True where a response has the header. A document names it without the links in it. */
export const hasLink = (responses: SeenResponses): boolean =>
  responses.some(({ headers }) => headers.has(header.link));

export const isFound = (place: Place, responses: SeenResponses): boolean =>
  responses.some(({ headers, body }) =>
    'header' in place ? headers.has(place.header) : valueAt(body, place.body) !== undefined,
  );

const placeNames = ['totalCount', 'totalPages', 'number', 'size'] as const;

/** True where a list without a next page would end with what may be the count of its first page. */
const endsTooEarly = (place: Place, responses: SeenResponses): boolean =>
  'body' in place && findNext(responses[0].body) === undefined && isPageCount(place.body, responses);

/** The places of a preset that the responses have, or that they may lack. */
const keptPlaces = (responses: SeenResponses, { list }: WholeFamily): ListForm => {
  const kept = placeNames.flatMap((name) => {
    const place = list[name];
    const isKept = place && (place.optional || isFound(place, responses)) && !endsTooEarly(place, responses);
    return isKept ? [[name, place] as const] : [];
  });
  return Object.fromEntries(kept);
};

/** True where the responses tell how many records or pages the list has. */
export const hasEnd = (responses: SeenResponses, { totalCount, totalPages }: ListForm): boolean =>
  [totalCount, totalPages].some((place) => place !== undefined && isFound(place, responses));

/** A header as its server writes it: `X-Total-Count`. The names of a response are in lower case. */
const spell = (name: string): string => name.replace(/(?<![a-z\d])[a-z]/g, (letter) => letter.toUpperCase());

/** The numbers that no place of the preset has: headers of totals, or those of the body. */
export const findUsual = (responses: SeenResponses): ListForm => {
  const { headers } = responses[0];
  const names = [...headers.keys()];
  const totalCount =
    names.find((name) => /total(?:-?count)?$/.test(name)) ??
    names.find((name) => isContentRange({ header: name }) && headers.get(name)?.endsWith('*') === false);
  const totalPages = names.find((name) => /(?:total-?pages|page-?count)$/.test(name));
  if (totalCount === undefined && totalPages === undefined) return findNumbers(responses);
  return {
    ...(totalCount !== undefined && { totalCount: { header: spell(totalCount) } }),
    ...(totalPages !== undefined && { totalPages: { header: spell(totalPages) } }),
  };
};

/** What leads on. Where nothing does, a number without a total is refused, and no list ends in silence. */
const findWay = (
  responses: SeenResponses,
  usual: ListForm['next'],
  isUsual: boolean,
  hasTotal: boolean,
): NonNullable<ListForm['next']> => {
  // The links of Laravel and nestjs-paginate may lack the query.
  if (usual === 'number' && isUsual) return usual;
  if (responses.some(hasPageLinks)) return 'link';
  const next = findNext(responses[0].body);
  // AdonisJS has links to the root of the server.
  if (hasTotal && leadsElsewhere(responses[0])) return 'number';
  const isSamePlace = typeof usual === 'object' && 'body' in usual && usual.body === next?.body;
  return (isSamePlace ? usual : next) ?? 'number';
};

/** The cursor that leads on, where no URL and no number of a page does; undefined for none. */
export const cursorOf = (responses: SeenResponses): string | undefined => {
  const { number, ...totals } = findNumbers(responses);
  const hasTotal = Object.keys(totals).length > 0;
  return number === undefined ? findCursor(responses[0], hasTotal) : undefined;
};

/**
 * The parts of a list that the responses have.
 *
 * @param isOther - whether the number of a page was seen to lead to it
 */
export const listOf = (responses: SeenResponses, family: WholeFamily, isOther: boolean): ListForm => {
  const { list } = family;
  const items = findItems(responses[0].body) ?? list.items ?? '';
  const kept = keptPlaces(responses, family);
  const isUsual = hasEnd(responses, kept);
  const numbers = isUsual ? kept : { ...kept, ...findUsual(responses) };
  const hasTotal = hasEnd(responses, numbers);
  const next = findWay(responses, list.next, isUsual, hasTotal);
  // A total would have the client ask for a second page, which a server without pages does not know.
  const hasNoPages = next === 'number' && (isByOffset(responses[0]) || cursorOf(responses) !== undefined);
  const more = next === 'number' && isOther && !hasNoPages && !hasTotal ? findMore(responses[0]) : undefined;
  return {
    ...(items !== '' && { items }),
    next: more === undefined ? next : { more },
    ...(next === 'link' && list.anyPath && { anyPath: true }),
    ...(!hasNoPages && numbers),
  };
};

/** What is to be known about how the list of a family is continued, in sentences. */
export const describeWay = (
  responses: SeenResponses,
  list: ListForm,
  page: string,
): Readonly<Partial<Record<'note' | 'unknown', string>>> => {
  const isLinked = list.next === 'link' || nextPlaceOf(list) !== undefined;
  const otherOrigin = isLinked ? otherOriginOf(responses[0]) : undefined;
  if (otherOrigin !== undefined)
    return {
      note: `The next link leads to ${otherOrigin}, another origin than that of the list: reading on after the first page is a PagingError. If the server lives there, give that URL; otherwise correct its links`,
    };
  if (nextPlaceOf(list) !== undefined && leadsElsewhere(responses[0]))
    return {
      note: 'The next link has another path than the list. If the server does not know it, the links lack a part of the path: correct them there, or use client.request in a loop',
    };
  const isNumbered = list.next === 'number';
  const advice =
    'nothing showed which parameter takes it: as printed, reading on after the first page is a PagingError';
  if (nextAfterLastOf(list) !== undefined || offsetParameterOf(list) !== undefined) return {};
  if (isByOffset(responses[0])) {
    return isNumbered
      ? {
          note: `This server pages by offset, and ${advice}. Name it in list.next: { offset: 'skip' }, and leave query.page out; an offset inside another parameter needs client.request in a loop`,
        }
      : {
          note: 'This server pages by offset: restkin follows its next links, so lists are read whole',
        };
  }
  const cursor = isNumbered ? cursorOf(responses) : undefined;
  if (cursor !== undefined)
    return {
      note: `This server pages by a cursor (\`${cursor}\` of the body), and ${advice}. Name it in list.next: { body: '${cursor}', parameter: '...' }, and leave query.page out`,
    };
  if (!isNumbered || hasEnd(responses, list)) return {};
  const more = findMore(responses[0]);
  const isSaid = more === undefined ? '' : `\`${more}\` of the body says whether more records follow, but `;
  const naming =
    more === undefined
      ? "can send a total, and name it in list.totalCount, or name list.next: 'untilEmpty' if a page behind the last one is empty"
      : `name list.next: { more: '${more}' }`;
  return {
    unknown: `how a page leads to the next one: ${isSaid}there is no link and no total, so reading on after the first page is a PagingError. Find out whether the server takes \`${page}\` and ${naming}; where it pages by offset, as Sails does, name that in list.next: { offset: 'skip' }`,
  };
};
