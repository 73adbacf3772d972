// What leads on in a list without page numbers and links: a cursor, or the number of records before a page.
import type { ListForm, NextAfterLast, NextCursor, NextOffset, QueryNames } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { isSameRow, type Row } from './evidence.ts';
import { cursorOf, findUsual } from './list.ts';
import { findMore, findNext, hasPageLinks, nextParameters } from './next.ts';
import { findNumbers } from './numbers.ts';
import { type SeenResponse, withParameters } from './observe.ts';
import { isByOffset, isOffset, offsetNameIn } from './offset.ts';
import { proveNames } from './proof.ts';

/** How a list continues, as a request for one record behind its first page has shown. */
export interface Unnumbered {
  readonly next: NextCursor | NextOffset | NextAfterLast;
  /** The name for the size of a page, where it had an effect. */
  readonly query: QueryNames;
  readonly totals: Pick<ListForm, 'totalCount'>;
}

/** Gives the records at a URL; undefined where it fails. */
type Ask = (url: URL) => Promise<readonly Row[] | undefined>;

/** The usual name for a size, where nothing shows another one. */
const usualSize = 'limit';

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The parameters that may take a cursor, by its name in the body: `pageToken` for `nextPageToken`. */
const cursorParametersFor = (body: string): readonly string[] => {
  const name = lastName(body);
  const rest = name.replace(/^(?:next|end|after)_?/i, '');
  const stripped = rest.charAt(0).toLowerCase() + rest.slice(1);
  const usual = /token$/i.test(name)
    ? [`pagination_${stripped}`]
    : ['cursor', 'start_cursor', 'after', 'page[after]'];
  // `token` alone may be a credential.
  return [...new Set([stripped, ...usual, name])].filter((one) => one !== 'token');
};

const findCursor = async (
  first: SeenResponse,
  path: string,
  rows: readonly Row[],
  size: string,
  ask: Ask,
): Promise<Unnumbered | undefined> => {
  const { url, body } = first;
  const cursor = valueAt(body, path);
  const more = findMore(first);
  if (typeof cursor !== 'string' && typeof cursor !== 'number') return undefined;
  for (const parameter of cursorParametersFor(path)) {
    const probe = withParameters(url, { [parameter]: String(cursor) });
    // Notion refuses a parameter that it does not know.
    const read = (await ask(withParameters(probe, { [size]: '1' }))) ?? (await ask(probe));
    const { isOther, isOne } = proveNames(rows, read);
    // The last page may lack it, as those of Google do.
    const next = { body: path, parameter, ...(more === undefined ? { optional: true } : { more }) };
    if (isOther) return { next, query: isOne ? { perPage: size } : {}, totals: {} };
  }
  return undefined;
};

/** The parameters that take the id of the last record, as those of Stripe and Anthropic. */
const lastIdParameters = ['starting_after', 'after_id', 'after'];

const findAfterLast = async (
  first: SeenResponse,
  rows: readonly Row[],
  size: string,
  ask: Ask,
): Promise<Unnumbered | undefined> => {
  const more = findMore(first);
  const { id } = rows.at(-1) ?? {};
  const isId = typeof id === 'string' || typeof id === 'number';
  const hasNumber = findNumbers([first]).number !== undefined;
  if (more === undefined || valueAt(first.body, more) !== true || !isId || hasNumber) return undefined;
  for (const lastId of lastIdParameters) {
    const read = await ask(withParameters(first.url, { [lastId]: String(id), [size]: '1' }));
    const [next] = read ?? [];
    const isBehind = next !== undefined && rows.every((row) => row.id !== next.id);
    if (isBehind)
      return { next: { lastId, more }, query: read?.length === 1 ? { perPage: size } : {}, totals: {} };
  }
  return undefined;
};

type OffsetNames = readonly (readonly [offset: string, size: string])[];

/** The names of an offset and of the size beside it, by the name of the offset where it was seen. */
const offsetNamesFor = (seen: string, size: string): OffsetNames => {
  if (seen === 'startAt') return [[seen, 'maxResults']];
  if (seen.startsWith('$')) return [size === usualSize ? [seen, '$limit'] : [seen, size]];
  // Feathers takes `$skip` and has `skip` in its body.
  return seen === 'skip'
    ? [
        ['$skip', '$limit'],
        ['skip', size],
      ]
    : [[seen, size]];
};

/** Tries names of an offset until one leads to the second record. */
const findOffset = async (
  first: SeenResponse,
  rows: readonly Row[],
  pairs: OffsetNames,
  ask: Ask,
): Promise<Unnumbered | undefined> => {
  const [, second] = rows;
  if (second === undefined) return undefined;
  for (const [offset, perPage] of pairs) {
    const read = await ask(withParameters(first.url, { [offset]: '1', [perPage]: '1' }));
    const isSecond = read?.length === 1 && isSameRow(read[0], second);
    const { totalCount } = findUsual([first]);
    if (isSecond) return { next: { offset }, query: { perPage }, totals: totalCount ? { totalCount } : {} };
  }
  return undefined;
};

/**
 * Finds what leads on in a list whose first page has a cursor or an offset and no link, by a few requests.
 * Undefined for another list, and where nothing leads on.
 *
 * @param rows - the records of the first page
 * @param perPage - what may be the name for the size of a page
 */
export const findUnnumbered = async (
  first: SeenResponse,
  rows: readonly Row[],
  perPage: string | undefined,
  ask: Ask,
): Promise<Unnumbered | undefined> => {
  const size = perPage ?? usualSize;
  const cursor = cursorOf([first]);
  if (cursor !== undefined) return findCursor(first, cursor, rows, size, ask);
  const isLinked = nextParameters(first) !== undefined;
  if (isLinked) return undefined;
  const seen = isByOffset(first) ? offsetNameIn(first) : undefined;
  const pairs = seen === undefined ? [] : offsetNamesFor(seen, size);
  return (await findOffset(first, rows, pairs, ask)) ?? findAfterLast(first, rows, size, ask);
};

/** The names of Sails and Parse, of PostgREST, of finale, of LoopBack and of OData. */
const usualOffsets: OffsetNames = [
  ['skip', 'limit'],
  ['offset', 'limit'],
  ['offset', 'count'],
  ['filter[skip]', 'filter[limit]'],
  ['$skip', '$top'],
];

const usualOffsetsFor = (size: string | undefined): OffsetNames => {
  if (size === undefined) return usualOffsets;
  const beside = usualOffsets.filter(([, one]) => one === size);
  if (beside.length > 0) return beside;
  return [
    ['skip', size],
    ['offset', size],
  ];
};

/**
 * Finds the offset of a list whose first page does not show its name, by the usual ones.
 *
 * @param rows - the records of the first page
 * @param perPage - what may be the name for the size of a page
 */
export const findUsualOffset = async (
  first: SeenResponse,
  rows: readonly Row[],
  perPage: string | undefined,
  ask: Ask,
): Promise<Unnumbered | undefined> => {
  // CouchDB has `offset` in its body, and takes `skip`.
  const isGiven = [...first.url.searchParams].some(isOffset);
  const hasSign = isGiven || cursorOf([first]) !== undefined || hasPageLinks(first);
  const isNumbered = findNext(first.body) !== undefined || findNumbers([first]).number !== undefined;
  return hasSign || isNumbered ? undefined : findOffset(first, rows, usualOffsetsFor(perPage), ask);
};
