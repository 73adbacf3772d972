import { parsePagination } from '../../src/headers/paging.ts';
import { items, type ListReading, readPages } from '../../src/paging/list.ts';
import { type ListPage, toListPage, toPage } from '../../src/paging/page.ts';
import { parsePosition } from '../../src/paging/resume.ts';

const origin = 'http://api.test/v1/things';

/** The URL of a page of the list. */
export const urlOf = (page: number): string => `${origin}?page=${page}`;

/** What a page of the list says of itself, where it differs from a well-behaved one. */
export interface PageOverride {
  readonly next?: string | undefined;
  readonly number?: number | undefined;
  readonly size?: number;
  readonly totalCount?: number | undefined;
  readonly totalPages?: number | undefined;
  readonly hidden?: boolean;
  readonly filtered?: boolean;
}

export interface ListDescription {
  readonly pages: readonly (readonly unknown[])[];
  /** True by default. */
  readonly totals?: boolean;
  readonly override?: (page: number) => PageOverride;
}

/** How a list is read, where it differs from the default. */
export interface ListOverride extends Partial<Omit<ListReading<unknown>, 'start'>> {
  readonly start?: () => string;
  readonly load?: (url: string, signal: AbortSignal) => Promise<ListPage<unknown>>;
}

/** A list whose pages are given; it records what is loaded, and what is on the way at once. */
export const describeList = ({ pages, totals = true, override = () => ({}) }: ListDescription) => {
  const loaded: number[] = [];
  const state = { onTheWay: 0, most: 0, aborted: 0 };

  const pageOf = (url: string, number: number): ListPage<unknown> => {
    const { hidden = false, filtered = false, ...given } = override(number);
    const next = number < pages.length ? urlOf(number + 1) : undefined;
    const links = new Map<string, string>();
    const target = 'next' in given ? given.next : next;
    if (target !== undefined) links.set('next', target);
    const page = toPage(pages[number - 1] ?? [], links, {
      number: 'number' in given ? given.number : number,
      size: given.size ?? pages[0]?.length,
      totalCount: totals ? (given.totalCount ?? pages.flat().length) : undefined,
      totalPages: totals ? (given.totalPages ?? pages.length) : undefined,
    });
    const bare = toPage(page.items, new Map(), parsePagination(new Headers()));
    return toListPage(url, hidden ? bare : page, undefined, filtered);
  };

  const load = async (url: string, signal: AbortSignal): Promise<ListPage<unknown>> => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    loaded.push(number);
    state.most = Math.max(state.most, ++state.onTheWay);
    await new Promise<void>((resolve, reject) => {
      const timer = setImmediate(resolve);
      signal.addEventListener('abort', () => {
        clearImmediate(timer);
        state.aborted++;
        reject(signal.reason);
      });
    }).finally(() => {
      state.onTheWay--;
    });
    return pageOf(url, number);
  };

  const options = ({
    load: given = load,
    start = () => urlOf(1),
    ...others
  }: ListOverride): ListReading<unknown> => ({
    createLoad: (signal) => (url) => given(url, signal),
    requests: new AbortController(),
    start: () => parsePosition(start()),
    concurrency: 2,
    maxPages: Number.POSITIVE_INFINITY,
    limit: Number.POSITIVE_INFINITY,
    signal: undefined,
    onPage: undefined,
    onDrift: () => undefined,
    declared: true,
    ...others,
  });

  return {
    load,
    loaded,
    state,
    readPages: (given: ListOverride = {}) => readPages(options(given)),
    readItems: (given: ListOverride = {}) => {
      const requests = new AbortController();
      return items(readPages(options({ ...given, requests })), requests, given.signal);
    },
  };
};

/** Records with these ids. */
export const things = (...ids: readonly number[]) => ids.map((id) => ({ id }));

/** Every value of an iteration. */
export const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
};
