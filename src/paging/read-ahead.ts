import type { LoadedPage, LoadPage } from './page.ts';

interface Requested<T> {
  readonly url: string;
  readonly page: Promise<LoadedPage<T>>;
  /** True when it was requested before the page that leads to it had arrived. */
  readonly isGuessed: boolean;
}

/** Requests pages before they are read. */
export interface ReadAhead<T> {
  /**
   * Returns the page at a URL: the first of the requested pages, or a new request if it has another URL.
   *
   * @param total - number of records of the list, by the page before
   */
  readonly take: (url: string, total: number) => Promise<LoadedPage<T>>;
  /**
   * Requests pages until so many are requested and not yet taken. If the first of them is not at `urlAt(0)`,
   * all of them are dropped before, and their requests end.
   *
   * @param urlAt - the URL of the page at an index, from 0
   */
  readonly loadUpTo: (count: number, urlAt: (index: number) => string) => void;
}

/**
 * Pages are requested in their order, and taken in it.
 *
 * @param signal - ends all requests; those of dropped pages end before
 */
export const createReadAhead = <T>(loadPage: LoadPage<T>, signal: AbortSignal): ReadAhead<T> => {
  let requested: Requested<T>[] = [];
  let dropping = new AbortController();
  signal.addEventListener('abort', () => dropping.abort(signal.reason));
  const load = (url: string) => loadPage(url, dropping.signal);

  const drop = (): void => {
    if (requested.length === 0) return;
    requested = [];
    dropping.abort();
    dropping = new AbortController();
  };

  const request = (url: string, isGuessed: boolean): void => {
    const page = load(url);
    // A failure is thrown when its page is read. Until then it must not be reported as unhandled.
    page.catch(() => undefined);
    requested.push({ url, page, isGuessed });
  };

  return {
    take: (url, total) => {
      const [first] = requested;
      if (first?.url !== url) {
        drop();
        return load(url);
      }
      requested.shift();
      if (!first.isGuessed) return first.page;
      // The server may have made this page before the one that comes first. A record that was inserted in
      // between moved another one from that page to this one, and neither has it. This page then has the
      // lower total.
      return first.page.then((page) => ((page.numbers.totalCount ?? 0) < total ? load(url) : page));
    },
    loadUpTo: (count, urlAt) => {
      if (count > 0 && requested[0]?.url !== urlAt(0)) drop();
      for (let index = requested.length; index < count; index++) request(urlAt(index), index > 0);
    },
  };
};
