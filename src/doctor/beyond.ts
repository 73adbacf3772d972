import type { ListForm, WholeFamily } from '../families/family.ts';
import type { RuleId } from './rules.ts';

/** Rules of the conventions that no family has a part for. Of tokens, it has what RFC 6749 demands. */
const withoutPart: readonly RuleId[] = [
  '§2.1 field names',
  '§2.1 timestamps',
  '§2.2 expires_in',
  '§2.2 refresh_expires_in',
  '§2.2 refresh_token',
  '§2.3 message',
  '§2.3 errors',
  '§2.3 errors[].field',
  '§2.3 errors[].code',
  '§2.3 errors[].message',
  '§2.3 errors[].reference',
  '§4.2 OPTIONS',
  '§4.2 HEAD',
  '§4.3.3',
  '§4.3.4',
  '§5.2.6',
  '§5.2.9',
  '§7.1 304',
  '§7.1 400',
  '§7.1 401',
  '§7.1 405',
  '§7.1 415',
  '§7.2.2',
  '§7.2.4',
  '§8 access token lifetime',
  '§8 refresh token lifetime',
];

/** The rules about parts that a family leaves out. */
const leftOutBy = ({ query, list, identity, unexpanded, path }: WholeFamily): readonly RuleId[] => {
  const { next, anyPath, totalCount, totalPages, number, size }: ListForm = list;
  // The numbers of a page are compared with those of others: small ones, requested by their numbers.
  const isNumbered = query.page !== undefined && query.perPage !== undefined;
  const hasSelf = identity.some((name) => name === 'self');
  const parts: readonly (readonly [RuleId, boolean])[] = [
    ['§2.1 self', hasSelf],
    ['§2.1 nested resource', hasSelf && unexpanded === 'reference'],
    ['§4.4 page', isNumbered],
    ['§4.4 perPage', query.perPage !== undefined],
    ['§4.5 Link', next !== 'number'],
    // The last full page of a list until an empty one leads on.
    ['§4.5.2', isNumbered && next !== 'number' && next !== 'untilEmpty'],
    ['§4.5 X-Pagination-Total-Count', query.page !== undefined && totalCount !== undefined],
    ['§4.5 X-Pagination-Total-Pages', query.page !== undefined && totalPages !== undefined],
    ['§4.5 X-Pagination-Current-Page', isNumbered && number !== undefined],
    ['§4.5 X-Pagination-Page-Size', isNumbered && size !== undefined],
    ['§4.5.3', size !== undefined],
    ['§9.3', path.includes('{version}') && anyPath !== true],
  ];
  return parts.flatMap(([id, isThere]) => (isThere ? [] : [id]));
};

/** The rules of the conventions that a family does not have; undefined stands for the conventions. */
export const rulesBeyond = (family: WholeFamily | undefined): ReadonlySet<string> =>
  new Set(family === undefined ? [] : [...withoutPart, ...leftOutBy(family)]);
