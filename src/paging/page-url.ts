const pageParameter = /([?&]page=)(\d{1,15})(?=&|#|$)/;

/** The page number that a URL asks for; undefined when it names none. */
export const pageNumberOf = (url: string): number | undefined => {
  const digits = pageParameter.exec(url)?.[2];
  return digits === undefined ? undefined : Number(digits);
};

/** The URL of another page, made from one that the server wrote: nothing but the number changes. */
export const withPageNumber = (url: string, number: number): string =>
  url.replace(pageParameter, (_all, before: string) => `${before}${number}`);

/** The URL of another page where the server wrote none, because a browser hides its links. */
export const toPageUrl = (url: string, number: number): string => {
  if (pageNumberOf(url) !== undefined) return withPageNumber(url, number);
  return `${url}${url.includes('?') ? '&' : '?'}page=${number}`;
};

/** The page size that a URL asks for; undefined when it names none. */
export const perPageOf = (url: string): number | undefined => {
  const digits = /[?&]perPage=(\d{1,15})(?=&|#|$)/.exec(url)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const beforeQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** True when a URL leads to another path of the same origin. Another origin is refused where it would be asked. */
export const leavesPath = (url: string, from: string): boolean => {
  if (beforeQuery(url) === beforeQuery(from)) return false;
  const { origin, pathname } = new URL(url);
  const base = new URL(from);
  return origin === base.origin && pathname !== base.pathname;
};
