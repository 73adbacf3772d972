// What a response says of more records than its list gives, where the family does not name it.
import { isObject } from '../options.ts';
import type { ListForm } from './family.ts';
import { morePathOf, nextPlaceOf } from './list-form.ts';
import { isCursor } from './next.ts';
import { valueAt } from './path.ts';

/** The names that say whether more records follow, at the top of a body or in an object there. */
const moreName = /^(?:[^.]+\.)?has_?(?:more|next(?:_?page)?)$|^(?:\w*(?:meta|pag)\w*\.)?more$/i;

/** The names of a cursor that leads to the next page, at the top of a body or in an object there. */
const cursorName = /^(?:[^.]+\.)?(?:next_?(?:page_?)?(?:cursor|token)|continuation_?token)$/i;

/** The members of a body and of the objects in it, by their paths. */
const membersOf = (body: unknown): readonly (readonly [path: string, value: unknown])[] =>
  Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
      : [[name, value] as const],
  );

/** The message about a body that says that more records follow where the family does not name it. */
export const undeclaredMoreProblem = (body: unknown): string | undefined => {
  const path = membersOf(body).find(([one, value]) => value === true && moreName.test(one))?.[0];
  return path === undefined
    ? undefined
    : `the list ends where \`${path}\` of the body says that more records follow; name what leads on in list.next of family(), such as { more: '${path}' } for page numbers`;
};

/** The usual names of a total, at the top of a body or in an object there. */
const totalName = /^(?:[^.]+\.)?total(?:_?(?:count|items|records|results|entries|elements|hits))?$/i;

/**
 * The message about a body with a total above the records of the list, in a family that declares no total. It
 * may count something else: it shows no page and no end.
 */
export const undeclaredTotalProblem = (
  { totalCount, totalPages }: ListForm,
  body: unknown,
  read: number,
): string | undefined => {
  if (totalCount !== undefined || totalPages !== undefined) return undefined;
  const total = membersOf(body).find(
    ([name, value]) => totalName.test(name) && Number.isSafeInteger(value) && Number(value) > read,
  );
  if (total === undefined) return undefined;
  const [path, count] = total;
  return `the list ends after ${read} of ${String(count)} records (\`${path}\` of the body); declare it as list.totalCount of family(), or paging: { totals: false } where it counts something else`;
};

/** The message about a body with a cursor that leads on where the family does not name it. */
export const undeclaredCursorProblem = (list: ListForm, body: unknown): string | undefined => {
  const members = membersOf(body);
  const more = morePathOf(list);
  const saysEnd =
    members.some(([one, value]) => value === false && moreName.test(one)) ||
    (more !== undefined && valueAt(body, more) === false);
  const place = nextPlaceOf(list);
  // Where the family names the next page, the body says there whether one follows.
  if (saysEnd || (place !== undefined && valueAt(body, place.body) !== undefined)) return undefined;
  const path = members.find(([one, value]) => isCursor(value) && cursorName.test(one))?.[0];
  return path === undefined
    ? undefined
    : `the list ends where \`${path}\` of the body has the cursor of a next page; declare list.next: { body: '${path}', parameter: '…' } of family(), with the parameter that takes it`;
};
