/** Reads and writes the page number in the URLs of a list. Nothing else knows the parameter that holds it. */
export interface PageUrls {
  /** The page that a URL requests; undefined when it has no number, as a cursor. */
  readonly numberIn: (url: string) => number | undefined;
  /** The URL of another page of the same list. */
  readonly withNumber: (url: string, number: number) => string;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const none: PageUrls = { numberIn: () => undefined, withNumber: (url) => url };

/**
 * Makes the {@link PageUrls} of a list.
 *
 * @param parameter - name of the query parameter that selects a page, `page` in the conventions (§4.4);
 * undefined for none
 * @param first - the number of the first page on the wire. Elsewhere, pages count from 1.
 */
export const createPageUrls = (parameter: string | undefined, first: number): PageUrls => {
  if (parameter === undefined) return none;
  const encoded = encodeURIComponent(parameter);
  const names = [...new Set([encoded, parameter])].map(escapePattern).join('|');
  // As a pattern, because a URL is parsed slowly and this runs for each page.
  const pattern = new RegExp(`([?&](?:${names})=)(\\d{1,15})(?=&|$)`);
  return {
    numberIn: (url) => {
      const digits = pattern.exec(url)?.[2];
      return digits === undefined ? undefined : Number(digits) - first + 1;
    },
    withNumber: (url, number) => {
      const written = String(number + first - 1);
      const found = pattern.exec(url);
      if (found === null) return `${url}${url.includes('?') ? '&' : '?'}${encoded}=${written}`;
      const [, name = '', digits = ''] = found;
      const start = found.index + name.length;
      return url.slice(0, start) + written + url.slice(start + digits.length);
    },
  };
};
