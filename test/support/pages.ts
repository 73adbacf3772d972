import type { ListStart } from '../../src/paging/facts.ts';
import { type ListReading, readPages, recordsIn } from '../../src/paging/list.ts';
import type { LoadedPage, Page } from '../../src/paging/page.ts';
import { createPageUrls } from '../../src/paging/page-urls.ts';

const origin = 'http://api.test/v1/things';

/** The URL of a page of the list. */
export const urlOf = (page: number): string => `${origin}?page=${page}`;

/** A list begins at its first page. */
export const startAt = (url: string): ListStart => ({
  url,
  isFromStart: true,
  isNumbered: false,
  perPage: undefined,
  maxPerPage: undefined,
  withSize: (link: string) => link,
  withParameters: (link: string) => link,
  differenceOf: () => undefined,
});

/** A page as its response describes it: without links, numbers and filter by default. */
export const loadedPage = (
  url: string,
  records: readonly unknown[],
  said: Partial<LoadedPage<unknown>> = {},
): LoadedPage<unknown> => ({
  url,
  items: records,
  links: new Map(),
  numbers: { number: undefined, size: undefined, totalCount: undefined, totalPages: undefined },
  hasHiddenHeaders: false,
  context: () => ({ url }),
  ...said,
});

export interface ListDescription {
  readonly pages: readonly (readonly unknown[])[];
  /** True by default. */
  readonly totals?: boolean;
  /** What a page says of itself, where it differs from a well-behaved one. */
  readonly override?: (page: number) => Partial<Page<unknown>>;
}

/** How a list is read, where it differs from the default. */
export interface ListOverride extends Partial<ListReading<unknown>> {
  readonly load?: (url: string, signal: AbortSignal) => Promise<LoadedPage<unknown>>;
}

/** A list whose pages are given; it records what is loaded, and what is in flight at once. */
export const describeList = ({ pages, totals = true, override = () => ({}) }: ListDescription) => {
  const loaded: number[] = [];
  const state = { inFlight: 0, most: 0, aborted: 0 };

  const load = async (url: string, signal: AbortSignal): Promise<LoadedPage<unknown>> => {
    const number = Number(new URL(url).searchParams.get('page') ?? 1);
    loaded.push(number);
    state.most = Math.max(state.most, ++state.inFlight);
    await new Promise<void>((resolve, reject) => {
      const timer = setImmediate(resolve);
      signal.addEventListener('abort', () => {
        clearImmediate(timer);
        state.aborted++;
        reject(signal.reason);
      });
    }).finally(() => {
      state.inFlight--;
    });
    const said: Partial<Page<unknown>> = {
      number,
      size: pages[0]?.length,
      totalCount: totals ? pages.flat().length : undefined,
      totalPages: totals ? pages.length : undefined,
      next: number < pages.length ? urlOf(number + 1) : undefined,
      ...override(number),
    };
    const links = new Map([['last', urlOf(pages.length)]]);
    if (said.next !== undefined) links.set('next', said.next);
    const { size, totalCount, totalPages } = said;
    const numbers = { number: said.number, size, totalCount, totalPages };
    return loadedPage(url, pages[number - 1] ?? [], { links, numbers });
  };

  const read = (given: ListOverride = {}) =>
    readPages({
      load,
      start: () => startAt(urlOf(1)),
      pageUrls: createPageUrls('page', 1),
      positionByTotal: undefined,
      requests: new AbortController(),
      concurrency: 2,
      maxPages: Number.POSITIVE_INFINITY,
      limit: Number.POSITIVE_INFINITY,
      signal: undefined,
      onPage: undefined,
      isResumed: false,
      onDrift: () => undefined,
      declaresPaging: true,
      isLinked: true,
      fail: (error) => error,
      onEnd: () => undefined,
      ...given,
    });
  return {
    load,
    loaded,
    state,
    readPages: read,
    readItems: (given: ListOverride = {}) => recordsIn(read(given), given.signal),
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
