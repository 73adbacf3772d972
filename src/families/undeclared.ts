// What a response says of more records than its list gives, where the family does not name it.
import { type EndCheck, totalProblem, totalsIn, type UndeclaredTotal } from '../headers/paging.ts';
import { isObject } from '../options.ts';
import type { ListForm } from './family.ts';
import { isLinked, morePathOf, nextPlaceOf } from './list-form.ts';
import { isCursor } from './next.ts';
import { valueAt } from './path.ts';

/** The members of a body, and of the objects in it, by their paths. */
type Members = readonly (readonly [path: string, value: unknown])[];

const membersOf = (body: unknown): Members =>
  Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
      : [[name, value] as const],
  );

/** The names that say whether more records follow, at the top of a body or in an object there. */
const moreName =
  /^(?:[^.]+\.)?(?:has_?(?:more|next(?:_?page)?)|(?:is_?)?truncated)$|^(?:\w*(?:meta|pag)\w*\.)?more$/i;

/** The names of the URL of the next page, such as `hydra:next` and `@odata.nextLink`. */
const nextName = /^(?:[^.]+\.)?(?:\w+:)?next(?:_?page)?(?:_?(?:ur[il]|link))?$/i;

/** The names of a cursor that leads to the next page. */
const cursorName = /^(?:[^.]+\.)?(?:next_?(?:page_?)?(?:cursor|token)|continuation_?token)$/i;

/** The usual names of a total. */
const totalName = /^total(?:_?(?:count|items|records|results|entries|elements|hits))?$/i;

/** An object about the pages of a list, such as `pageInfo`, or `result_info` of Cloudflare. */
const aboutPages = /meta|pag|^(?:result_)?info$/i;

const moreProblem = (members: Members): string | undefined => {
  const path = members.find(([one, value]) => value === true && moreName.test(one))?.[0];
  return path === undefined
    ? undefined
    : `the list ends where \`${path}\` of the body says that more records follow; name what leads on in list.next of family(), such as { more: '${path}' } for page numbers`;
};

/** True where the body says that no page follows, in the place that the family names or in a usual one. */
const saysEnd = (list: ListForm, body: unknown, members: Members): boolean => {
  const place = nextPlaceOf(list);
  const more = morePathOf(list);
  return (
    (place !== undefined && valueAt(body, place.body) !== undefined) ||
    (more !== undefined && valueAt(body, more) === false) ||
    members.some(
      ([path, value]) => (value === false && moreName.test(path)) || (value === null && nextName.test(path)),
    )
  );
};

/** Only a URL with a query counts: another one may lead to a record. */
const urlProblem = (members: Members): string | undefined => {
  const path = members
    .filter(([one]) => nextName.test(one))
    // In HAL and in JSON:API, a link may be an object with the URL in it.
    .map(([one, value]) =>
      isObject(value) ? ([`${one}.href`, value.href] as const) : ([one, value] as const),
    )
    .find(([, value]) => typeof value === 'string' && /^[^\s?]*\?[^\s=]+=/.test(value))?.[0];
  return path === undefined
    ? undefined
    : `the list ends where \`${path}\` of the body has the URL of a next page; declare list.next: { body: '${path}' } of family()`;
};

const cursorProblem = (members: Members): string | undefined => {
  const path = members.find(([one, value]) => isCursor(value) && cursorName.test(one))?.[0];
  return path === undefined
    ? undefined
    : `the list ends where \`${path}\` of the body has the cursor of a next page; declare list.next: { body: '${path}', parameter: '…' } of family(), with the parameter that takes it`;
};

/**
 * Whether a member is the total of the list: at the top of the body, beside the records, or in an object about
 * pages. In any other object it may be a sum of money.
 */
const isTotal = (path: string, value: unknown, items: string): boolean => {
  const [name = '', owner] = path.split('.').toReversed();
  const isOfList = owner === undefined || items.startsWith(`${owner}.`) || aboutPages.test(owner);
  return isOfList && totalName.test(name) && Number.isSafeInteger(value);
};

/** The totals in a body, which the family does not name. */
const totalsOf = (members: Members, { items = '' }: ListForm): readonly UndeclaredTotal[] =>
  members
    .filter(([path, value]) => isTotal(path, value, items))
    .map(([path, value]) => [`\`${path}\` of the body`, Number(value)]);

/** A total above the records of the list. In a body, none counts where another one is equal to them. */
const problemOfTotals = (
  ofHeaders: readonly UndeclaredTotal[],
  ofBody: readonly UndeclaredTotal[],
  read: number,
): string | undefined => {
  const isEqual = ofBody.some(([, total]) => total === read);
  return totalProblem(ofHeaders, read) ?? (isEqual ? undefined : totalProblem(ofBody, read));
};

/**
 * Checks the end of a list in which nothing of the server leads to the next page: the client counts its pages
 * or its records, and a wrong declaration of that gives too few. Undefined for a response without a total that
 * the family does not name.
 */
export const createTotalCheck = (list: ListForm, body: unknown, headers: Headers): EndCheck | undefined => {
  const isCountedHere = !isLinked(list) && list.next !== 'number' && nextPlaceOf(list) === undefined;
  if (!isCountedHere) return undefined;
  const [ofHeaders, ofBody] = [totalsIn(headers), totalsOf(membersOf(body), list)];
  if (ofHeaders.length + ofBody.length === 0) return undefined;
  return (read) => problemOfTotals(ofHeaders, ofBody, read);
};

/**
 * Checks the end of a list whose response may say, in a place that the family does not name, that more records
 * follow.
 *
 * @param hasRecords - whether the response has any
 * @param hasTotals - whether the endpoint supplies totals (§4.5.1)
 */
export const createEndCheck = (
  list: ListForm,
  body: unknown,
  headers: Headers,
  hasRecords: boolean,
  hasTotals: boolean,
): EndCheck => {
  return (read) => {
    const members = membersOf(body);
    const problem = moreProblem(members);
    if (problem !== undefined || saysEnd(list, body, members)) return problem;
    // Where links lead on, they are right.
    const byNext =
      hasRecords && read !== Infinity ? (urlProblem(members) ?? cursorProblem(members)) : undefined;
    if (byNext !== undefined || !hasTotals) return byNext;
    // The total of YouTube, beside its cursor, counts hidden records too.
    const ofBody = isLinked(list) ? totalsOf(members, list) : [];
    return problemOfTotals(totalsIn(headers), ofBody, read);
  };
};
