import { encodeSegment, formatPath } from '../http/url.ts';
import type { Exchange, Json } from './exchange.ts';
import { blockedBy, breaks, cannotTell, type Weight } from './judgement.ts';

/** Of a path or a query. */
export type Parameters = Readonly<Record<string, string | number>>;

/** True for an id that a path can have: with `''`, `.` or `..` it would lead to the collection, or above it. */
export const isId = (id: unknown): id is string | number => {
  try {
    return encodeSegment('id', id) !== '';
  } catch {
    return false;
  }
};

/** The URLs of a collection. */
export interface Address {
  /** The URL that every path of the API begins with, including the major version (§9.3). */
  readonly root: URL;
  readonly path: string;
  /** The values of the path parameters; undefined when one is unknown. */
  readonly parameters: Parameters | undefined;
  /** Ends the check where a value of a path parameter is unknown. */
  url(): string;
  listUrl(query?: Parameters): string;
  itemUrl(record: Json): string;
  /** The target of a link. A link to another origin breaks the rule and is not followed. */
  linkTarget(exchange: Exchange, name: string, link: unknown, weight?: Weight): URL;
}

export const createAddress = (root: URL, path: string, parameters: Parameters | undefined): Address => {
  const url = (): string =>
    parameters === undefined
      ? cannotTell(`no value is known for the parameters of ${path}; pass \`pathParameters\``)
      : root.href + formatPath(path, parameters);
  return {
    root,
    path,
    parameters,
    url,
    listUrl: (query = {}) => {
      const search = new URLSearchParams(query as Readonly<Record<string, string>>);
      return search.size === 0 ? url() : `${url()}?${search}`;
    },
    itemUrl: ({ id }) =>
      isId(id) ? `${url()}/${encodeSegment('id', id)}` : cannotTell('the resource has no id'),
    linkTarget: (exchange, name, link, weight) => {
      const { url: from } = exchange.request;
      const target = URL.canParse(String(link), from) ? new URL(String(link), from) : undefined;
      if (target?.origin !== root.origin)
        return breaks(exchange, `${name} at ${root.origin}`, 'another place', weight);
      return target.pathname.startsWith(root.pathname) ? target : blockedBy('§9.3');
    },
  };
};
