// The list in pages that are small enough for it to have several of them.
import { maxPerPageOf } from '../../schema/collection.ts';
import { countIn, type Json } from '../exchange.ts';
import { blockedBy, cannotTell, type Listed, unlessJudged } from '../judgement.ts';
import type { Subject } from '../subject.ts';

const mostPerPage = 20;

/** A page size that makes three pages of the first page of the list. */
export const smallSize = async (subject: Subject): Promise<number> => {
  const { length } = (await subject.list()).records;
  if (length < 2) cannotTell(`the list has ${length} records, so there is no second page`);
  return Math.min(
    Math.max(1, Math.floor(length / 3)),
    mostPerPage,
    maxPerPageOf(subject.options) ?? mostPerPage,
  );
};

/** What tells a record from the others of a list (§2.1). */
export const identityOf = ({ self, id }: Json): unknown => self ?? id;

export const isDisjoint = (some: readonly Json[], others: readonly Json[]): boolean =>
  some.every((one) => {
    const identity = identityOf(one);
    return identity === undefined || others.every((other) => identityOf(other) !== identity);
  });

/** A list that is read in small pages. */
export interface Paged {
  readonly subject: Subject;
  /** Records on a page. */
  readonly size: number;
  readonly page: (number: number) => Promise<Listed>;
}

/** The list in small pages; the check ends where `page` or `perPage` has no effect. */
export const paged = async (subject: Subject): Promise<Paged> => {
  const size = await smallSize(subject);
  const page: Paged['page'] = (number) => subject.list({ page: number, perPage: size });
  const { records: first } = await page(1);
  const { records: second } = await page(2);
  if (first.length !== size || second.length > size) blockedBy('§4.4 perPage');
  if (!isDisjoint(second, first)) blockedBy('§4.4 page');
  return { subject, size, page };
};

/** The list in pages of the size that the server gives. */
const pagedByServer = async (subject: Subject): Promise<Paged> => {
  const page: Paged['page'] = (number) => subject.list({ page: number });
  const { length } = (await page(1)).records;
  return length === 0 ? cannotTell('the collection is empty') : { subject, size: length, page };
};

/** The list in small pages where the server gives them, and otherwise in its own. */
export const pagedAny = async (subject: Subject): Promise<Paged> => {
  const small = subject.isSized ? await unlessJudged(() => paged(subject), undefined) : undefined;
  return small ?? pagedByServer(subject);
};

/** True where a page is full, and the one behind it has other records. */
export const continuesAfter = async ({ page, size }: Paged, number: number): Promise<boolean> => {
  const { records } = await page(number);
  if (records.length < size) return false;
  const next = (await page(number + 1)).records;
  return next.length > 0 && isDisjoint(next, records);
};

const isEnd = async (pages: Paged, number: number): Promise<boolean> => {
  const { records } = await pages.page(number);
  return records.length > 0 && !(await continuesAfter(pages, number));
};

const mostWalked = 8;

/**
 * The number of the last page, found by reading pages. The numbers in the header fields are tried first, but
 * not trusted.
 */
export const lastPage = async (pages: Paged): Promise<number> => {
  const { size } = pages;
  const { exchange } = await pages.page(1);
  const claims = [countIn(exchange, 'totalPages'), Math.ceil((countIn(exchange, 'totalCount') ?? 0) / size)];
  const walk = Array.from({ length: mostWalked }, (_, index) => index + 1);
  for (const number of new Set([...claims, ...walk])) {
    if (number !== undefined && number > 0 && (await isEnd(pages, number))) return number;
  }
  return cannotTell(`the end of the list is not within ${mostWalked} pages of ${size}`);
};
