// What the numbers of a page say: the totals, its own number, and its size.
import { paginationHeader } from '../../conventions.ts';
import { countIn, type Exchange, linksOf } from '../exchange.ts';
import { blockedBy, cannotTell, demand, type Weight } from '../judgement.ts';
import { showField } from '../shown.ts';
import type { Subject } from '../subject.ts';
import { continuesAfter, lastPage, type Paged, paged, pagedAny } from './small-pages.ts';

const totals = ['totalPages', 'totalCount'] as const;

type Total = (typeof totals)[number];

export const hasTotals = ({ headers }: Exchange): boolean =>
  totals.some((name) => headers.has(paginationHeader[name]));

export const isUnreadable = (exchange: Exchange): boolean =>
  totals.some(
    (name) => exchange.headers.has(paginationHeader[name]) && countIn(exchange, name) === undefined,
  );

export const onPages = (check: (pages: Paged) => Promise<void>) => async (subject: Subject) =>
  check(await paged(subject));

export const onTotals = (check: (pages: Paged, last: number) => Promise<void>) =>
  onPages(async (pages) => {
    const { exchange } = await pages.page(1);
    if (!hasTotals(exchange)) cannotTell('the server supplies no totals (§4.5.1)');
    if (isUnreadable(exchange)) blockedBy('§4.5.1');
    await check(pages, await lastPage(pages));
  });

type Name = keyof typeof paginationHeader;

/** True where a list ends at this total: it has no links, and a number of pages comes before a total. */
const endsByTotal = (exchange: Exchange, name: Name): boolean =>
  !linksOf(exchange).has('next') &&
  (name === 'totalPages' || !exchange.headers.has(paginationHeader.totalPages));

/**
 * The client compares the number of the page, and reads no list to an end before its totals. Without links, a
 * list ends there.
 */
const weightOf = (exchange: Exchange, name: Name, found: number | undefined, expected: number): Weight => {
  if (found === undefined || name === 'pageSize') return 'minor';
  const isFatal = name === 'currentPage' || found > expected || endsByTotal(exchange, name);
  return isFatal ? 'fatal' : 'minor';
};

const fieldIn = ({ names }: Exchange, name: Name): string => names?.field(name) ?? paginationHeader[name];

const demandSame = async ({ page }: Paged, number: number, name: Name, expected: number): Promise<void> => {
  const { exchange } = await page(number);
  const value = exchange.headers.get(paginationHeader[name]);
  const field = fieldIn(exchange, name);
  const found = value === null ? `no ${field}` : `${field}: ${showField(field, value, exchange.request)}`;
  const count = countIn(exchange, name);
  demand(
    count === expected,
    exchange,
    `${field}: ${expected}`,
    found,
    weightOf(exchange, name, count, expected),
  );
};

const adviceOn = (exchange: Exchange, name: Total, { family }: Subject): string => {
  if (family === undefined) return '';
  const advice = `correct list.${name} of family(), or leave it out`;
  return endsByTotal(exchange, name)
    ? `, where the list ends; ${advice} and declare list.next: 'untilEmpty' if a page behind the last one is empty`
    : `; ${advice}`;
};

/** A total that is too small, such as the number of records of a page, shows in a list of any length. */
const demandEnough = async (pages: Paged, name: Total): Promise<void> => {
  const { exchange } = await pages.page(1);
  const total = countIn(exchange, name);
  if (total === undefined) return;
  const last = Math.max(1, name === 'totalPages' ? total : Math.ceil(total / pages.size));
  const field = fieldIn(exchange, name);
  demand(
    !(await continuesAfter(pages, last)),
    exchange,
    `${field}: more than ${total}, as page ${last + 1} has records`,
    `${field}: ${total}${adviceOn(exchange, name, pages.subject)}`,
    weightOf(exchange, name, total, total + 1),
  );
};

const checkTotal =
  (name: Total, expectedOf: (pages: Paged, last: number) => Promise<number> | number) =>
  async (subject: Subject): Promise<void> => {
    await demandEnough(await pagedAny(subject), name);
    if (!subject.isSized) cannotTell('the family has no name for sizes, so the list is not counted');
    const demandExact = onTotals(async (pages, last) =>
      demandSame(pages, 1, name, await expectedOf(pages, last)),
    );
    await demandExact(subject);
  };

export const checkPageCount = checkTotal('totalPages', (_pages, last) => last);

export const checkCount = checkTotal('totalCount', async ({ page, size }, last) => {
  const { length } = (await page(last)).records;
  return (last - 1) * size + length;
});

export const checkCurrentPage = onPages((pages) => demandSame(pages, 2, 'currentPage', 2));

export const checkPageSize = onPages((pages) => demandSame(pages, 2, 'pageSize', pages.size));
