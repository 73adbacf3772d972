// What a list ends with: a page without the place of the next one, or an empty page.
import type { ListForm, WholeFamily } from '../../families/family.ts';
import { nextPlaceOf } from '../../families/list-form.ts';
import { readFamilyPage } from '../../families/page.ts';
import { valueAt } from '../../families/path.ts';
import { findItems } from './evidence.ts';
import { hasEnd } from './list.ts';
import { type Observe, type SeenResponse, withParameters } from './observe.ts';
import { rowsOf, tryToObserve } from './probes.ts';

const mostFollowed = 3;

/** A response has it only where it is a part of the list (OData JSON Format, `nextLink`). */
const nextOfOData = '@odata.nextLink';

/** A list as it is declared, and what is not known of its last page. */
interface SeenEnd {
  readonly list: ListForm;
  readonly unknown: readonly string[];
}

/** The last page, asked for by its number; undefined where that is not known, or has no records. */
const askForLast = async (
  { url, headers, body }: SeenResponse,
  family: WholeFamily,
  observe: Observe,
): Promise<SeenResponse | undefined> => {
  const { totalPages } = readFamilyPage(body, headers, family, url.href).numbers;
  const name = family.query.page;
  if (name === undefined || totalPages === undefined) return undefined;
  const number = totalPages - 1 + family.firstPage;
  const last = await tryToObserve(withParameters(url, { [name]: String(number) }), observe);
  return last !== undefined && rowsOf(last).length > 0 ? last : undefined;
};

/** No list has so many pages. */
const farPage = '1000000';

/** True where a page far behind the end is an empty list. */
const isEmptyBehindEnd = async (
  { url }: SeenResponse,
  { query: { page } }: WholeFamily,
  observe: Observe,
): Promise<boolean> => {
  if (page === undefined) return false;
  const far = await tryToObserve(withParameters(url, { [page]: farPage }), observe);
  return far !== undefined && findItems(far.body) !== undefined && rowsOf(far).length === 0;
};

/**
 * Goes to the last page of a list, or follows it for a few pages, where its next place may be optional. Only
 * a page that lacks the place shows that it is. A list of numbered pages that has no total may end with an
 * empty one.
 *
 * @param isNumbered - whether the number of a page was seen to lead to it
 */
export const lookForEnd = async (
  first: SeenResponse,
  family: WholeFamily,
  isNumbered: boolean,
  observe: Observe,
): Promise<SeenEnd> => {
  const list: ListForm = family.list;
  const isOpen = isNumbered && list.next === 'number' && !hasEnd([first], list);
  if (isOpen && (await isEmptyBehindEnd(first, family, observe)))
    return { list: { ...list, next: 'untilEmpty' }, unknown: [] };
  const place = nextPlaceOf(list);
  if (place?.optional !== true || place.body === nextOfOData) return { list, unknown: [] };
  const { optional: _optional, ...next } = place;
  const always = { ...list, next };
  let page = (await askForLast(first, family, observe)) ?? first;
  for (let followed = 0; ; followed++) {
    if (valueAt(page.body, place.body) === undefined) return { list, unknown: [] };
    const { links } = readFamilyPage(page.body, page.headers, family, page.url.href);
    const link = links?.get('next');
    if (link === undefined) return { list: always, unknown: [] };
    const isFollowed = followed < mostFollowed && URL.canParse(link, page.url);
    const following = isFollowed ? await tryToObserve(new URL(link, page.url), observe) : undefined;
    if (following === undefined) break;
    page = following;
  }
  const advice = 'if it does, reading to the end is a PagingError: add optional: true to list.next';
  return {
    list: always,
    unknown: [`whether the last page lacks \`${place.body}\`, which each page that was seen has; ${advice}`],
  };
};
