import { listSeparator, queryParameters } from '../conventions.ts';
import { InvalidRequestError } from '../errors/request-error.ts';
import { leavesPath } from '../paging/page-url.ts';
import { type Exchange, toFollowedUrl } from './exchange.ts';

/** In the fragment of a position: the query that its list was started with. */
const askedKey = 'query';

/** Names that the records of a page depend on: without them in the query as well as with others, the result would lie. */
const shaping: ReadonlySet<string> = new Set(['fields', 'expand']);

interface Place {
  readonly link: string;
  readonly fragment: string | undefined;
  /** The query that the position came from; of a link, what its URL says of it. */
  readonly asked: URLSearchParams;
  /** A link is the server's: it may write a query in its own way, or not at all. */
  readonly isLink: boolean;
}

const toPlace = (from: unknown): Place => {
  const [link = '', fragment] = typeof from === 'string' ? from.split('#', 2) : [];
  const asked = new URLSearchParams(fragment).get(askedKey);
  const query = asked ?? link.split('?', 2)[1];
  return { link, fragment, asked: new URLSearchParams(query), isLink: asked === null };
};

const namesIn = (text: string): readonly string[] => text.split(listSeparator).filter((name) => name !== '');

/** Whether a link says of a parameter what a query says: a server may add names of its own, but leave none out. */
const saysSame = (name: string, said: string, asked: string): boolean => {
  const names = namesIn(said);
  return name === 'perPage'
    ? said === asked
    : namesIn(asked).every((given, index) =>
        name === 'sort' ? names[index] === given : names.includes(given),
      );
};

/** The name of the first parameter that the query and the place do not agree on. */
const differenceOf = (query: URLSearchParams, { asked, isLink }: Place): string | undefined => {
  for (const name of isLink ? queryParameters : new Set([...query.keys(), ...asked.keys()])) {
    const [now, before] = [query.get(name), asked.get(name)];
    if (now === before || (isLink && name === 'page')) continue;
    // What is left out of a query is kept by the place; what decides the result's type cannot be left out.
    if (now === null ? !shaping.has(name) : isLink && (before === null || saysSame(name, before, now)))
      continue;
    return name;
  }
  return undefined;
};

/**
 * Where a list starts that goes on from a position, or from the `next` of a page: its URL, absolute, with what the position
 * says of its place there.
 *
 * @param query - the query of the list, as it stands in a URL
 * @throws {@link InvalidRequestError} when `from` belongs to another collection, or came from another query
 */
export const toStart = (api: Exchange, collectionUrl: string, from: unknown, query: string): string => {
  const place = toPlace(from);
  const url = toFollowedUrl(api, place.link);
  if (leavesPath(url, collectionUrl))
    throw new InvalidRequestError('from must be a position of this list, or the next of one of its pages');
  const name = differenceOf(new URLSearchParams(query), place);
  if (name !== undefined) {
    throw new InvalidRequestError(
      `from belongs to a list with another ${name}; give the query that it came from, or leave from out`,
    );
  }
  return place.fragment === undefined ? url : `${url}#${place.fragment}`;
};

/** A position that also says which query it belongs to: that of the list, or of the list that it went on from. */
export const markPosition = (position: string, from: string | undefined, query: string): string => {
  if (!position.includes('#')) return position;
  const { asked, isLink } = toPlace(from);
  return `${position}&${new URLSearchParams({ [askedKey]: isLink ? query : asked.toString() })}`;
};
