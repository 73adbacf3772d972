import { header, type pageRelations, paginationHeader } from '../../conventions.ts';
import { type Exchange, type Json, linksOf } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandStatus, notDeclared } from '../judgement.ts';
import {
  countIn,
  demandRefused,
  idsOf,
  type Listed,
  linkTarget,
  list,
  needsVersion,
  recordsOf,
  type Subject,
} from '../subject.ts';

const needsPaging = ({ options: { paging } }: Subject): void => {
  if (paging === undefined) notDeclared('`paging` is not declared');
};

const maxPerPage = ({ options: { paging } }: Subject): number | undefined =>
  typeof paging === 'object' ? paging.maxPerPage : undefined;

const mostPerPage = 20;

/** A number of records per page with which the first page of the list becomes three. */
const smallSize = async (subject: Subject): Promise<number> => {
  needsPaging(subject);
  const { length } = (await list(subject)).records;
  if (length < 2) cannotTell(`the list has ${length} records, and so no second page`);
  return Math.min(Math.max(1, Math.floor(length / 3)), mostPerPage, maxPerPage(subject) ?? mostPerPage);
};

/** One page of a list in pages of a size. */
type PageOf = (page: number) => Promise<Listed>;

/** A list in small pages. */
interface Paged {
  readonly size: number;
  readonly page: PageOf;
  readonly first: Listed;
  readonly second: Listed;
}

const isDisjoint = (some: readonly Json[], others: readonly Json[]): boolean =>
  some.every(({ id }) => id === undefined || others.every((other) => other.id !== id));

/** The list in small pages; the check ends where `page` or `perPage` has no effect, which is judged by §4.4. */
const paged = async (subject: Subject): Promise<Paged> => {
  const size = await smallSize(subject);
  const page: PageOf = (number) => list(subject, { page: number, perPage: size });
  const [first, second] = [await page(1), await page(2)];
  if (first.records.length !== size || second.records.length > size) cannotTell('see §4.4 perPage');
  if (!isDisjoint(second.records, first.records)) cannotTell('see §4.4 page');
  return { size, page, first, second };
};

const recordsAt = async (page: PageOf, number: number): Promise<readonly Json[]> =>
  (await page(number)).records;

/** True when a page has records, and no page follows it. */
const isEnd = async ({ page, size }: Paged, number: number): Promise<boolean> => {
  const here = await recordsAt(page, number);
  if (here.length === 0) return false;
  if (here.length < size) return true;
  const next = await recordsAt(page, number + 1);
  return next.length === 0 || !isDisjoint(next, here);
};

const mostWalked = 8;

/** The number of the last page, as the pages have it. What the header fields say is tried first, and not believed. */
const lastPage = async (paged: Paged): Promise<number> => {
  const { first, size } = paged;
  const claims = [
    countIn(first.exchange, 'totalPages'),
    Math.ceil((countIn(first.exchange, 'totalCount') ?? 0) / size),
  ];
  const walk = Array.from({ length: mostWalked }, (_, index) => index + 1);
  for (const number of new Set([...claims, ...walk])) {
    if (number !== undefined && number > 0 && (await isEnd(paged, number))) return number;
  }
  return cannotTell(`the end of the list is not within ${mostWalked} pages of ${size}`);
};

/** How many records the pages hold. */
const countOf = async (paged: Paged, last: number): Promise<number> =>
  (last - 1) * paged.size + (await recordsAt(paged.page, last)).length;

const hasTotals = ({ headers }: Exchange): boolean =>
  headers.has(paginationHeader.totalPages) || headers.has(paginationHeader.totalCount);

/** True for totals that are there, and are no integers. */
const isUnreadable = (exchange: Exchange): boolean =>
  (['totalPages', 'totalCount'] as const).some(
    (name) => exchange.headers.has(paginationHeader[name]) && countIn(exchange, name) === undefined,
  );

const needsTotals = async (subject: Subject): Promise<Paged> => {
  const found = await paged(subject);
  if (!hasTotals(found.first.exchange)) cannotTell('the server supplies no totals (§4.5.1)');
  if (isUnreadable(found.first.exchange)) cannotTell('see §4.5.1');
  return found;
};

type Relation = (typeof pageRelations)[number];

/** Demands that a relation is there, and leads to the page with these records; or that it is not there. */
const demandLink = async (
  subject: Subject,
  { exchange }: Listed,
  relation: Relation,
  target: readonly Json[] | undefined,
): Promise<void> => {
  const link = linksOf(exchange).get(relation);
  if (target === undefined) {
    demand(link === undefined, exchange, `no link "${relation}"`, 'there is one');
    return;
  }
  const others = exchange.headers.has(header.link) ? 'another Link' : 'no Link';
  demand(link !== undefined, exchange, `a link "${relation}"`, others);
  const url = linkTarget(subject, exchange, `a link "${relation}"`, link);
  needsVersion(subject, url);
  const found = await subject.get(url.href);
  demandStatus(found, [200], `for the link "${relation}"`);
  const { records } = recordsOf(found);
  const isPage = idsOf(records) === idsOf(target);
  demand(isPage, found, `the link "${relation}" leads to its page`, 'other records');
};

const demandSame = (exchange: Exchange, name: keyof typeof paginationHeader, expected: number): void => {
  const field = paginationHeader[name];
  const value = exchange.headers.get(field);
  const found = value === null ? `no ${field}` : `${field}: ${value}`;
  demand(countIn(exchange, name) === expected, exchange, `${field}: ${expected}`, found);
};

/** The rules of pages (§4.4, §4.5). */
export const pagingChecks = {
  '§4.4 page': async (subject) => {
    const perPage = await smallSize(subject);
    const first = await list(subject, { page: 1, perPage });
    const { exchange, records } = await list(subject, { page: 2, perPage });
    const isOther = isDisjoint(records, first.records) && records.length > 0;
    const found = records.length === 0 ? 'no records' : 'records of page 1';
    demand(isOther, exchange, 'other records on page 2 than on page 1', found);
  },
  '§4.4 perPage': async (subject) => {
    const size = await smallSize(subject);
    const { exchange, records } = await list(subject, { page: 1, perPage: size });
    const { length } = records;
    demand(length === size, exchange, `${size} records with \`perPage=${size}\``, `${length}`);
    const most = maxPerPage(subject);
    if (most === undefined) return;
    await demandRefused(subject, { perPage: most + 1 }, `\`perPage\` above the maximum of ${most}`);
  },
  '§4.5 Link': async (subject) => {
    const pages = await needsTotals(subject);
    const { first, second, page } = pages;
    const last = await lastPage(pages);
    await demandLink(subject, first, 'first', undefined);
    await demandLink(subject, first, 'prev', undefined);
    await demandLink(subject, first, 'next', second.records);
    await demandLink(subject, first, 'last', await recordsAt(page, last));
    await demandLink(subject, second, 'first', first.records);
    await demandLink(subject, second, 'prev', first.records);
    if (last > 2) await demandLink(subject, second, 'next', await recordsAt(page, 3));
    await demandLink(subject, await page(last), 'next', undefined);
    await demandLink(subject, await page(last), 'prev', await recordsAt(page, last - 1));
  },
  '§4.5 X-Pagination-Total-Pages': async (subject) => {
    const pages = await needsTotals(subject);
    demandSame(pages.first.exchange, 'totalPages', await lastPage(pages));
  },
  '§4.5 X-Pagination-Total-Count': async (subject) => {
    const pages = await needsTotals(subject);
    demandSame(pages.first.exchange, 'totalCount', await countOf(pages, await lastPage(pages)));
  },
  '§4.5 X-Pagination-Current-Page': async (subject) => {
    const { first, second } = await paged(subject);
    demandSame(first.exchange, 'currentPage', 1);
    demandSame(second.exchange, 'currentPage', 2);
  },
  '§4.5 X-Pagination-Page-Size': async (subject) => {
    const { size, first, second } = await paged(subject);
    demandSame(first.exchange, 'pageSize', size);
    demandSame(second.exchange, 'pageSize', size);
  },
  '§4.5.1': async (subject) => {
    needsPaging(subject);
    const { exchange } = await list(subject);
    const isReadable = !isUnreadable(exchange);
    demand(isReadable, exchange, 'totals that are integers, or none', 'totals that are no integers');
  },
  '§4.5.2': async (subject) => {
    const pages = await paged(subject);
    const { first, second, page } = pages;
    if (hasTotals(first.exchange)) cannotTell('the server supplies totals (§4.5)');
    for (const relation of ['first', 'prev', 'last'] as const) {
      await demandLink(subject, first, relation, undefined);
      await demandLink(subject, second, relation, undefined);
    }
    await demandLink(subject, first, 'next', second.records);
    await demandLink(subject, await page(await lastPage(pages)), 'next', undefined);
  },
  '§4.5.3': async (subject) => {
    needsPaging(subject);
    const { exchange, records } = await list(subject);
    const { length } = records;
    const size = countIn(exchange, 'pageSize');
    if (size === undefined) return cannotTell('see §4.5 X-Pagination-Page-Size');
    demand(length <= size, exchange, `at most ${size} records, the default page size`, `${length}`);
    const most = maxPerPage(subject) ?? size;
    demand(size <= most, exchange, `a default page size of at most ${most}, the maximum`, `${size}`);
  },
} as const satisfies Checks<Subject>;
