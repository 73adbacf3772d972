// The parts of a family that differ from those of its nearest preset.
import type { Family, ListForm, QueryNames, WholeFamily } from '../../families/family.ts';
import { valueAt } from '../../families/path.ts';
import { type Row, splitUrl } from './evidence.ts';
import { isJsonServer1 } from './json-server.ts';
import { hasEnd, listOf } from './list.ts';
import { isSizeLowered, isSizeShown } from './names.ts';
import { hasPageLinks } from './next.ts';
import type { SeenResponse, SeenResponses } from './observe.ts';
import { isByOffset } from './offset.ts';
import type { Proof } from './proof.ts';
import type { Unnumbered } from './unnumbered.ts';

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/**
 * Whether a declaration keeps the name for the size of a page. A name that nothing shows may be a filter for
 * the server, whose list would then end without a record.
 */
export const isSizeKept = (
  responses: SeenResponses,
  family: WholeFamily,
  perPage: string | undefined,
  { isOne, isRefuted }: Proof,
): boolean => {
  const [first] = responses;
  if (isOne || isSizeShown(first, perPage) || isJsonServer1(first)) return true;
  return !isRefuted && (hasPageLinks(first) || hasEnd(responses, family.list));
};

/** True where the first page, which no parameter asks for, has the number 0 in its body. */
const isFromZero = ({ url, body }: SeenResponse, { number }: ListForm): boolean =>
  url.search === '' && number !== undefined && 'body' in number && valueAt(body, number.body) === 0;

const without = (names: QueryNames, ...left: readonly (keyof QueryNames)[]): QueryNames =>
  Object.fromEntries(Object.entries(names).filter(([name]) => !left.some((one) => one === name)));

/**
 * The parts that the pages of a list show.
 *
 * @param names - of the query, of which that of the size may have had no effect
 */
export const differencesOf = (
  responses: SeenResponses,
  rows: readonly Row[],
  family: WholeFamily,
  names: QueryNames,
  proof: Proof,
): Family => {
  const [first] = responses;
  const { url } = first;
  const list = listOf(responses, family, proof.isOther);
  // The links of a server without page numbers lead on by an offset, or by a cursor.
  const hasPages = list.next === 'number' || !(isByOffset(first) || proof.isPageIgnored);
  const isKept = isSizeKept(responses, family, names.perPage, proof);
  const query = without(
    names,
    ...(hasPages ? [] : (['page'] as const)),
    ...(isKept ? [] : (['perPage'] as const)),
  );
  const isLowered = isSizeLowered(first, rows.length, { ...family, query, list });
  const identity = rows.every((row) => Object.hasOwn(row, 'self')) ? ['id', 'self'] : ['id'];
  return {
    ...(splitUrl(url, family) === undefined && { path: '' }),
    ...(!isSame(query, family.query) && { query }),
    ...(!family.clampsSize && isLowered && { clampsSize: true }),
    ...(family.firstPage === 1 && (proof.isFromZero || isFromZero(first, list)) && { firstPage: 0 }),
    ...(!hasPages && family.pageRequired && { pageRequired: false }),
    // The preset asks with them for totals, and another server may take them for a filter.
    ...(Object.keys(family.listParameters).length > 0 &&
      !hasEnd(responses, family.list) && { listParameters: {} }),
    ...(!isSame(list, { ...family.list, next: family.list.next ?? 'link' }) && { list }),
    ...(rows.length > 0 && !isSame(identity, family.identity) && { identity: identity as ['id'] }),
  };
};

/** The parts of a family whose lists a cursor or an offset continues, without page numbers. */
export const withoutNumbers = (
  differences: Family,
  family: WholeFamily,
  { next, query, totals }: Unnumbered,
): Family => {
  const names = without({ ...family.query, ...differences.query }, 'page', 'perPage');
  const { items }: ListForm = differences.list ?? family.list;
  return {
    ...differences,
    ...(family.pageRequired && { pageRequired: false }),
    query: { ...names, ...query },
    list: { ...(items !== undefined && { items }), next, ...totals },
  };
};
