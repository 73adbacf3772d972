/** Reads and writes the page number in the URLs of a list. Nothing else knows the parameter that holds it. */
export interface PageUrls {
  /** The page that a URL requests; undefined when it has no number, as a cursor. */
  readonly numberIn: (url: string) => number | undefined;
  /** The URL of another page of the same list. */
  readonly withNumber: (url: string, number: number) => string;
}

const none: PageUrls = { numberIn: () => undefined, withNumber: (url) => url };

// By a pattern, because a URL is parsed slowly and this runs for each page.
const numericParameter = /([?&]([^=&?]+)=)(\d{1,15})(?=&|$)/g;

/**
 * Makes the {@link PageUrls} of a list.
 *
 * @param parameter - name of the query parameter that selects a page, `page` in the conventions (§4.4);
 * undefined for none
 * @param first - the number of the first page on the wire. Elsewhere, pages count from 1.
 */
export const createPageUrls = (parameter: string | undefined, first: number): PageUrls => {
  if (parameter === undefined) return none;
  // A server may encode the name in another way than the client does.
  const isName = (written: string): boolean =>
    written === parameter || (/[%+]/.test(written) && new URLSearchParams(written).has(parameter));
  const find = (url: string): RegExpExecArray | undefined => {
    for (const found of url.matchAll(numericParameter)) if (isName(found[2] ?? '')) return found;
    return undefined;
  };
  return {
    numberIn: (url) => {
      const digits = find(url)?.[3];
      return digits === undefined ? undefined : Number(digits) - first + 1;
    },
    withNumber: (url, number) => {
      const written = String(number + first - 1);
      const found = find(url);
      if (found === undefined)
        return `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(parameter)}=${written}`;
      const [whole, name = ''] = found;
      const start = found.index + name.length;
      return url.slice(0, start) + written + url.slice(found.index + whole.length);
    },
  };
};
