import { type ItemIteration, items, readPages } from '../../src/paging/list.ts';
import { type ListPage, toListPage, toPage } from '../../src/paging/page.ts';
import type { Drift } from '../../src/paging/reconcile.ts';
import { parsePosition } from '../../src/paging/resume.ts';
import { all } from './pages.ts';

interface Thing {
  readonly id: number;
}

/** What a server of a list does with each request, in the order of their arrival. */
export interface Server {
  readonly size: number;
  /** The list as it is now. */
  readonly list: () => readonly number[];
  /** Runs as a request arrives, before it is answered. */
  readonly onRequest?: (page: number) => void | Promise<void>;
}

/** Reads such a list, and records which pages are requested and which changes are reported. */
export const readList = (
  { size, list, onRequest }: Server,
  { concurrency = 1, from = 'http://api.test/v1/things' } = {},
): ItemIteration<Thing> & { readonly pages: number[]; readonly drifts: Drift[] } => {
  const pages: number[] = [];
  const drifts: Drift[] = [];
  const load = async (url: string): Promise<ListPage<Thing>> => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    pages.push(number);
    await onRequest?.(number);
    const ids = list();
    const totalPages = Math.ceil(ids.length / size);
    const link = (to: number): string => `http://api.test/v1/things?page=${to}`;
    const links = new Map<string, string>();
    if (number > 1) links.set('prev', link(number - 1));
    if (number < totalPages) links.set('next', link(number + 1));
    const records = ids.slice((number - 1) * size, number * size).map((id) => ({ id }));
    const pagination = { number, size, totalCount: ids.length, totalPages };
    return toListPage(url, toPage(records, links, pagination), undefined, false);
  };
  const requests = new AbortController();
  const bounds = { maxPages: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY, declared: true };
  const read = readPages<Thing>({
    ...{
      createLoad: () => load,
      start: () => parsePosition(from),
      concurrency,
      signal: undefined,
      requests,
      ...bounds,
    },
    ...{ onPage: undefined, onDrift: (drift) => drifts.push(drift) },
  });
  return Object.assign(items(read, requests, undefined), { pages, drifts });
};

export const idsOf = async (items: AsyncIterable<Thing>): Promise<number[]> =>
  (await all(items)).map(({ id }) => id);
