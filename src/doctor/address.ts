import { encodeSegment, formatPath, parseLinkUrl } from '../http/url.ts';
import type { Border } from './border.ts';
import type { Exchange, Json, Parameters } from './exchange.ts';
import { blockedBy, breaks, cannotTell, type Weight } from './judgement.ts';

/**
 * True for an id that a path can have: with `''`, `.` or `..` it would lead to the collection, or above it.
 */
export const isId = (id: unknown): id is string | number => {
  try {
    return encodeSegment('id', id) !== '';
  } catch {
    return false;
  }
};

/** True for the path of a resource of a collection; a slash at the end is ignored. */
const isBelow = (path: string, collection: string): boolean =>
  path.replace(/\/$/, '').startsWith(`${collection}/`);

/** The URLs of a collection. */
export interface Address {
  /** The URL that every path of the API begins with, including the major version (§9.3). */
  readonly root: URL;
  readonly path: string;
  /** The field in the path of a resource. */
  readonly keyField: string;
  /** True for an API of a family, which is translated. */
  readonly isTranslated: boolean;
  /** The values of the path parameters; undefined when one is unknown. */
  readonly parameters: Parameters | undefined;
  /** Ends the check where a value of a path parameter is unknown. */
  url(): string;
  listUrl(query?: Parameters): string;
  itemUrl(record: Json, query?: Parameters): string;
  /** The query of a list, as it is sent, for a sentence. */
  showQuery(query: Parameters): string;
  /** True for the URL of a list, false for that of a resource. */
  isList(url: string): boolean;
  /** The target of a link. A link to another origin breaks the rule and is not followed. */
  linkTarget(exchange: Exchange, name: string, link: unknown, weight?: Weight): URL;
}

export const createAddress = (
  root: URL,
  { path, keyField }: Pick<Address, 'path' | 'keyField'>,
  parameters: Parameters | undefined,
  { end, isTranslated, toSearch }: Border,
  isSlashed = end === '/',
): Address => {
  const collection = (): string =>
    parameters === undefined
      ? cannotTell(`no value is known for the parameters of ${path}; pass \`pathParameters\``)
      : root.href + formatPath(path, parameters);
  const withSearch = (url: string, query: Parameters, isList: boolean): string => {
    const search = toSearch(query, isList);
    return search.size === 0 ? url : `${url}?${search}`;
  };
  const listPath = (): string => (isSlashed ? `${collection()}/` : collection());
  return {
    root,
    path,
    keyField,
    isTranslated,
    parameters,
    url: listPath,
    listUrl: (query = {}) => withSearch(listPath(), query, true),
    itemUrl: ({ [keyField]: key }, query = {}) =>
      isId(key)
        ? withSearch(`${collection()}/${encodeSegment(keyField, key)}${end}`, query, false)
        : cannotTell(`the resource has no ${keyField}`),
    showQuery: (query) => `\`${decodeURIComponent(String(toSearch(query, true)))}\``,
    isList: (url) => !isBelow(new URL(url).pathname, new URL(collection()).pathname),
    linkTarget: (exchange, name, link, weight) => {
      const { url: from } = exchange.request;
      const target = parseLinkUrl(root.origin, String(link), from);
      if (target?.origin !== root.origin)
        return breaks(exchange, `${name} at ${root.origin}`, 'another place', weight);
      return target.pathname.startsWith(root.pathname) ? target : blockedBy('§9.3');
    },
  };
};
