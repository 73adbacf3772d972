import type { LoadedPage } from './page.ts';

interface Requested<T> {
  readonly url: string;
  readonly page: Promise<LoadedPage<T>>;
  /** True when it was requested before the page arrived that leads to it. */
  readonly isGuessed: boolean;
}

/** Pages that load ahead of the one that is read. */
export interface ReadAhead<T> {
  /**
   * Gives the page at a URL: the first of those that load, or a new one.
   *
   * @param total - number of records that the list has, as the page before says
   */
  readonly take: (url: string, total: number) => Promise<LoadedPage<T>>;
  /**
   * Begins to load pages until this many are on their way. All are dropped where they begin with another URL.
   *
   * @param urlAt - the URL of a page by its place, from 0
   */
  readonly fill: (count: number, urlAt: (place: number) => string) => void;
}

/** @param load - requests the page at a URL */
export const createReadAhead = <T>(load: (url: string) => Promise<LoadedPage<T>>): ReadAhead<T> => {
  let requested: Requested<T>[] = [];

  const request = (url: string, isGuessed: boolean): void => {
    const page = load(url);
    // A failure is thrown when its page is read. Until then it must not be reported as unhandled.
    page.catch(() => undefined);
    requested.push({ url, page, isGuessed });
  };

  return {
    take: (url, total) => {
      const first = requested.shift();
      if (first?.url !== url) {
        requested = [];
        return load(url);
      }
      if (!first.isGuessed) return first.page;
      // It may be older than the page before it, and then lacks records that have moved to it since.
      return first.page.then((page) => ((page.numbers.totalCount ?? total) < total ? load(url) : page));
    },
    fill: (count, urlAt) => {
      if (count > 0 && requested[0]?.url !== urlAt(0)) requested = [];
      for (let place = requested.length; place < count; place++) request(urlAt(place), place > 0);
    },
  };
};
