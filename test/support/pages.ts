import { items, type ListReading, readPages } from '../../src/paging/list.ts';
import { type LoadedPage, type Page, toPage } from '../../src/paging/page.ts';

const origin = 'http://api.test/v1/things';

/** The URL of a page of the list. */
export const urlOf = (page: number): string => `${origin}?page=${page}`;

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
    const links = new Map([['last', urlOf(pages.length)]]);
    if (number < pages.length) links.set('next', urlOf(number + 1));
    const page = toPage(url, pages[number - 1] ?? [], links, {
      number,
      size: pages[0]?.length,
      totalCount: totals ? pages.flat().length : undefined,
      totalPages: totals ? pages.length : undefined,
    });
    return { url, page: { ...page, ...override(number) }, isFiltered: false, context: () => ({ url }) };
  };

  const read = (given: ListOverride = {}) =>
    readPages({
      load,
      start: () => urlOf(1),
      concurrency: 2,
      maxPages: Number.POSITIVE_INFINITY,
      limit: Number.POSITIVE_INFINITY,
      signal: undefined,
      onPage: undefined,
      isResumed: false,
      onDrift: () => undefined,
      declared: true,
      fail: (error) => error,
      ...given,
    });
  return {
    load,
    loaded,
    state,
    readPages: read,
    readItems: (given: ListOverride = {}) => items(read(given), given.signal),
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
