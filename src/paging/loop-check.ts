/** The most URLs that are remembered. */
const most = 4_096;

/**
 * Recognises a URL that a list comes back to. It remembers every URL of the first pages of a list. Of a
 * longer list it remembers every second one, then every fourth and so on, so that its memory does not grow
 * and a loop is still found within that many pages.
 *
 * @returns a function that is called with the URL of each page; true for one that it remembers
 */
export const createLoopCheck = (): ((url: string) => boolean) => {
  let remembered = new Set<string>();
  let step = 1;
  let pages = 0;
  return (url) => {
    if (remembered.has(url)) return true;
    if (pages % step === 0) remembered.add(url);
    pages++;
    if (remembered.size > most) {
      step *= 2;
      remembered = new Set([...remembered].filter((_url, place) => place % 2 === 0));
    }
    return false;
  };
};
