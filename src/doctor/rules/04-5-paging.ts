import { header, type PageRelation } from '../../conventions.ts';
import { maxPerPageOf } from '../../schema/collection.ts';
import { countIn, type Exchange, linksOf } from '../exchange.ts';
import { blockedBy, cannotTell, demand, demandStatus, type Listed, recordsOf } from '../judgement.ts';
import { by, rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import {
  checkCount,
  checkCurrentPage,
  checkPageCount,
  checkPageSize,
  hasTotals,
  isUnreadable,
  onPages,
  onTotals,
} from './page-numbers.ts';
import { identityOf, isDisjoint, lastPage, type Paged, smallSize } from './small-pages.ts';

/** True where the client takes a page for the whole list. A family whose numbers lead on requests the next one. */
const looksWhole = (exchange: Exchange, { family }: Subject): boolean =>
  !linksOf(exchange).has('next') && !hasTotals(exchange) && family?.list.next !== 'number';

const idsOf = ({ records }: Listed): string => JSON.stringify(records.map(identityOf));

/** Demands the links of a page: each to the page of its number, and none where that is undefined. */
const demandLinks = async (
  { subject, page }: Paged,
  from: number,
  wanted: Partial<Readonly<Record<PageRelation, number | undefined>>>,
): Promise<void> => {
  const { exchange } = await page(from);
  const hasLink = exchange.headers.has(header.link);
  for (const [relation, to] of Object.entries(wanted)) {
    const link = linksOf(exchange).get(relation);
    const weight = relation === 'next' ? 'fatal' : 'minor';
    if (to === undefined) {
      // The client ends the list at an empty page beyond the last one.
      const ofExcess = hasTotals(exchange) ? 'minor' : weight;
      demand(link === undefined, exchange, `no link "${relation}"`, 'there is one', ofExcess);
      continue;
    }
    // Without any Link, the client goes by the totals.
    const ofAbsence = hasLink || !hasTotals(exchange) ? weight : 'minor';
    const others = hasLink ? 'another Link' : 'no Link';
    demand(link !== undefined, exchange, `a link "${relation}"`, others, ofAbsence);
    const found = await subject.get(subject.linkTarget(exchange, `a link "${relation}"`, link, weight).href);
    demandStatus(found, [200], `for the link "${relation}"`, weight);
    const isPage = idsOf(recordsOf(found)) === idsOf(await page(to));
    demand(isPage, found, `a link "${relation}" that leads to its page`, 'other records', weight);
  }
};

const checkNumberedLinks = onTotals(async (pages, last) => {
  // Those that the client follows come first.
  await demandLinks(pages, 1, { next: 2 });
  await demandLinks(pages, 2, { next: last > 2 ? 3 : undefined });
  await demandLinks(pages, last, { next: undefined });
  // Of a family, the next page alone is known.
  if (pages.subject.isTranslated) return;
  await demandLinks(pages, 1, { first: undefined, prev: undefined, last });
  await demandLinks(pages, 2, { first: 1, prev: 1 });
  await demandLinks(pages, last, { prev: last - 1 });
});

/** Without page numbers, or sizes, what is told is that the next link leads to other records. */
const checkNextLink = async (subject: Subject): Promise<void> => {
  const query = subject.isSized ? { perPage: await smallSize(subject) } : {};
  const { exchange, records } = await subject.list(query);
  const link = linksOf(exchange).get('next');
  const mayBeWhole = 'the first page may be the whole list';
  if (link === undefined && !subject.isSized) cannotTell(mayBeWhole);
  demand(link !== undefined, exchange, 'what leads to the next page', 'nothing', 'fatal');
  const found = await subject.get(subject.linkTarget(exchange, 'a next page', link, 'fatal').href);
  demandStatus(found, [200], 'for the next page', 'fatal');
  const next = recordsOf(found).records;
  if (next.length === 0 && !subject.isSized) cannotTell(mayBeWhole);
  const isOther = next.length > 0 && isDisjoint(next, records);
  demand(isOther, found, 'other records on the next page', 'none, or those of the first page', 'fatal');
};

const checkLinks = (subject: Subject): Promise<void> =>
  subject.isNumbered && subject.isSized ? checkNumberedLinks(subject) : checkNextLink(subject);

const checkWithoutTotals = onPages(async (pages) => {
  if (hasTotals((await pages.page(1)).exchange)) cannotTell('the server supplies totals (§4.5)');
  const none = { first: undefined, prev: undefined, last: undefined };
  await demandLinks(pages, 1, { next: 2 });
  await demandLinks(pages, await lastPage(pages), { next: undefined });
  await demandLinks(pages, 1, none);
  await demandLinks(pages, 2, none);
});

/** Page 1 is the page that a list without a number begins with. */
const demandFirst = async (subject: Subject, perPage: number, first: Listed): Promise<void> => {
  const { records } = await subject.list({ perPage });
  const isSame = first.records.length > 0 && !isDisjoint(first.records, records);
  const found =
    subject.family === undefined
      ? 'other records, or none'
      : 'other records, or none; correct firstPage of family()';
  demand(isSame, first.exchange, 'on page 1 the records of the list without a page', found, 'fatal');
};

/** §4.5 Paging, with its two parameters of §4.4. */
export const paging = [
  rule('§4.4 page', 'Selects the page of results.', by.list('paging'), async (subject) => {
    const perPage = await smallSize(subject);
    const first = await subject.list({ page: 1, perPage });
    const { exchange, records } = await subject.list({ page: 2, perPage });
    // The first page may be the whole list.
    if (records.length === 0 && first.records.length > perPage) blockedBy('§4.4 perPage');
    await demandFirst(subject, perPage, first);
    const isOther = isDisjoint(records, first.records) && records.length > 0;
    demand(isOther, exchange, 'other records on page 2 than on page 1', 'none, or those of page 1', 'fatal');
  }),
  rule('§4.4 perPage', 'Records per page; above the maximum 400.', by.list('paging'), async (subject) => {
    const size = await smallSize(subject);
    const { exchange, records } = await subject.list({ perPage: size });
    const { length } = records;
    const endsEarly = looksWhole(exchange, subject);
    const found = endsEarly ? `${length}, and no link or total, so that lists end early` : `${length}`;
    const weight = endsEarly ? 'fatal' : 'minor';
    const expected = `${size} records with ${subject.showQuery({ perPage: size })}`;
    demand(length === size, exchange, expected, found, weight);
    const most = maxPerPageOf(subject.options);
    if (most === undefined) return;
    await subject.demandRefused({ perPage: most + 1 }, `\`perPage\` above the maximum of ${most}`);
  }),
  rule('§4.5 Link', 'first, prev, next and last, as applicable.', by.list('paging'), checkLinks),
  rule('§4.5 X-Pagination-Total-Pages', 'Total number of pages.', by.list('paging'), checkPageCount),
  rule('§4.5 X-Pagination-Total-Count', 'Total number of records.', by.list('paging'), checkCount),
  rule('§4.5 X-Pagination-Current-Page', 'Current page number.', by.list('paging'), checkCurrentPage),
  rule('§4.5 X-Pagination-Page-Size', 'Page size.', by.list('paging'), checkPageSize),
  rule('§4.5 exposed header fields', 'Other origins may read them.', {
    unseen: 'it is a rule for servers that serve browsers; the client names what they hide',
  }),
  rule('§4.5.1', 'An endpoint without totals omits both of them.', by.list('paging'), async (subject) => {
    const { exchange } = await subject.list();
    const { missing } = exchange;
    demand(
      missing === undefined,
      exchange,
      'each number and next page where the family names it',
      missing ?? '',
      'fatal',
    );
    demand(!isUnreadable(exchange), exchange, 'totals that are integers, or none', 'other totals');
  }),
  rule('§4.5.2', 'Without totals, Link holds next alone.', by.list('paging'), checkWithoutTotals),
  rule('§4.5.3', 'A default page size, and perhaps a maximum.', by.list('paging'), async (subject) => {
    const { exchange, records } = await subject.list();
    const { length } = records;
    const size = countIn(exchange, 'pageSize');
    if (size === undefined) return blockedBy('§4.5 X-Pagination-Page-Size');
    demand(length <= size, exchange, `at most ${size} records, the default page size`, `${length}`);
    const most = maxPerPageOf(subject.options) ?? size;
    demand(size <= most, exchange, `a default page size of at most ${most}, the maximum`, `${size}`);
  }),
] as const;
