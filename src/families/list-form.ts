// What a family says of its lists.
import type { ListForm, NextAfterLast, NextCursor, NextUrl, Place } from './family.ts';

/** True for the header that has a total behind a slash: `Content-Range: items 0-24/57` (RFC 9110 §14.4). */
export const isContentRange = (place: Place | undefined): boolean =>
  place !== undefined && 'header' in place && /^content-range$/i.test(place.header);

/** Where a part of a list stands, for a message. */
export const describePlace = (place: Place): string =>
  'header' in place ? `the header ${place.header}` : `\`${place.body}\` of the body`;

/** The message about what a response lacks, and what to do about the part of the family that names it. */
export const describeLack = (what: string, advice: string): string =>
  `the response lacks ${what}, which family() names; ${advice}`;

/** True where the `Link` header leads to the next page. */
export const isLinked = ({ next = 'link' }: ListForm): boolean => next === 'link';

/** Where the body has the URL or the cursor of the next page; undefined in a family without either. */
export const nextPlaceOf = ({ next }: ListForm): NextUrl | NextCursor | undefined =>
  typeof next === 'object' && 'body' in next ? next : undefined;

/** The parameter that takes the cursor of the next page; undefined in a family without cursors. */
export const cursorParameterOf = ({ next }: ListForm): string | undefined =>
  typeof next === 'object' && 'parameter' in next ? next.parameter : undefined;

/** The parameter that counts the records before a page; undefined in a family without offsets. */
export const offsetParameterOf = ({ next }: ListForm): string | undefined =>
  typeof next === 'object' && 'offset' in next ? next.offset : undefined;

/** How the id of the last record leads on; undefined in a family where it does not. */
export const nextAfterLastOf = ({ next }: ListForm): NextAfterLast | undefined =>
  typeof next === 'object' && 'lastId' in next ? next : undefined;

/** Where the body says whether more records follow; undefined in a family that does not name it. */
export const morePathOf = ({ next }: ListForm): string | undefined =>
  typeof next === 'object' && 'more' in next ? next.more : undefined;

/** The parameter that leads to a page in place of its number; undefined in a family without one. */
export const placeParameterOf = (list: ListForm): string | undefined =>
  cursorParameterOf(list) ?? offsetParameterOf(list) ?? nextAfterLastOf(list)?.lastId;
