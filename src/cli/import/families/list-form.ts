// Where the lists of a document have their records, their next page and their numbers.
import type { ListForm, WholeFamily } from '../../../families/family.ts';
import { valueAt } from '../../../families/path.ts';
import { findItems, isRows } from '../../recognise/evidence.ts';
import { findUsual, hasEnd, hasLink, isFound } from '../../recognise/list.ts';
import { findMore, findNextPath } from '../../recognise/next.ts';
import type { Json } from '../json.ts';
import { isValid } from './own-places.ts';
import type { PagedList } from './paged-lists.ts';
import { nextPlaceAt } from './unnumbered-lists.ts';

const numberNames = ['totalCount', 'totalPages', 'number', 'size'] as const;

/** The value that most have; undefined of none. */
export const mostOf = <T>(all: readonly T[]): T | undefined => {
  const counts = new Map<string, { readonly value: T; readonly count: number }>();
  for (const value of all) {
    const key = JSON.stringify(value);
    counts.set(key, { value, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.value;
};

/** Where a list has its records; undefined where it has none. */
export const itemsOf = ({ example: { body } }: PagedList, { list }: WholeFamily): string | undefined => {
  const { items = '' }: ListForm = list;
  return isRows(valueAt(body, items)) ? items : findItems(body);
};

/**
 * The numbers of a list that its document has: those of the family, with usual ones where it has no total.
 */
const numbersOf = ({ example }: PagedList, { list }: WholeFamily): ListForm => {
  const own: ListForm = list;
  const kept = numberNames.flatMap((name) => {
    const place = own[name];
    return place !== undefined && isFound(place, [example]) ? [[name, place] as const] : [];
  });
  const numbers: ListForm = Object.fromEntries(kept);
  return hasEnd([example], numbers) ? numbers : { ...numbers, ...findUsual([example]) };
};

type Way = NonNullable<ListForm['next']>;

/** What leads to the next page of a list, by the document; undefined where it says nothing of that. */
const wayOf = (document: Json, list: PagedList, family: WholeFamily): Way | undefined => {
  const { example, operation, unnumbered } = list;
  const { next: usual = 'link' }: ListForm = family.list;
  const isCounted = hasEnd([example], numbersOf(list, family));
  if (usual === 'number' && isCounted) return usual;
  if (typeof usual !== 'object' && hasLink([example])) return 'link';
  const body = findNextPath(example.body);
  if (body !== undefined) return nextPlaceAt(document, operation, body);
  if (hasLink([example])) return 'link';
  if (unnumbered !== undefined) return unnumbered;
  if (isCounted) return 'number';
  const more = findMore(example);
  return list.page === undefined || more === undefined ? undefined : { more };
};

/** What a document says of the lists of a family. */
export interface DocumentedForm {
  readonly list: ListForm;
  /** The lists of which the document says how they continue. */
  readonly known: ReadonlySet<PagedList>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The numbers that lists have. Only a total may be missing in some, by `paging: { totals: false }`. */
const joinNumbers = (all: readonly ListForm[]): ListForm => {
  const joined = numberNames.flatMap((name) => {
    const having = all.flatMap((one) => one[name] ?? []);
    const isThere = name.startsWith('total') || having.length === all.length;
    const place = mostOf(having);
    return isThere && place !== undefined ? [[name, place] as const] : [];
  });
  return Object.fromEntries(joined);
};

/** Whether lists are those of a preset, but for numbers that it may lack. */
const isListOf = (list: ListForm, preset: ListForm): boolean =>
  isSame([list.items ?? '', list.next], [preset.items ?? '', preset.next ?? 'link']) &&
  numberNames.every((name) => isSame(list[name], preset[name]) || preset[name]?.optional === true);

/** Whether a family can have lists of a form: a number may be inside of the records of another list. */
const isPossible = (list: ListForm): boolean =>
  isValid({ list, query: list.next === 'number' ? { page: 'page' } : {} });

/** The form of lists that have their records at one path, or each at a path of its own. */
const formOf = (
  document: Json,
  lists: readonly PagedList[],
  usualItems: string,
  family: WholeFamily,
): DocumentedForm => {
  const preset: ListForm = family.list;
  const ways = lists.flatMap((one) => {
    const way = wayOf(document, one, family);
    return way === undefined ? [] : [{ one, way }];
  });
  const known = new Set(ways.map(({ one }) => one));
  const next = mostOf(ways.map(({ way }) => way));
  const alike = ways.filter(({ way }) => isSame(way, next));
  const items = mostOf(alike.map(({ one }) => itemsOf(one, family))) ?? usualItems;
  // A document without a word about pages does not contradict a preset. Nothing is known of records
  // elsewhere: a number without a total is refused, and no list ends in silence.
  if (next === undefined)
    return { known, list: items === (preset.items ?? '') ? preset : { items, next: 'number' } };
  const list: ListForm = {
    ...(items !== '' && { items }),
    next,
    ...(next === 'link' && preset.anyPath && { anyPath: true }),
    ...joinNumbers([...known].map((one) => numbersOf(one, family))),
  };
  return { known, list: isListOf(list, preset) ? preset : list };
};

/** The form of most lists: what leads on, and each number that one of them has. */
export const readListForm = (
  document: Json,
  all: readonly PagedList[],
  family: WholeFamily,
): DocumentedForm => {
  const preset: ListForm = family.list;
  const placed = all.filter((one) => itemsOf(one, family) !== undefined);
  const items = mostOf(placed.map((one) => itemsOf(one, family))) ?? preset.items ?? '';
  const alike = placed.filter((one) => itemsOf(one, family) === items);
  // Where each list has its records under its own name, all say how the lists of the document continue.
  const ofAll = alike.length * 2 < placed.length ? formOf(document, placed, items, family) : undefined;
  return ofAll !== undefined && isPossible(ofAll.list) ? ofAll : formOf(document, alike, items, family);
};
