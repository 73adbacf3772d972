// What the URL of an operation says: its server, its major version (§9) and its collection.
import type { WholeFamily } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { type Json, listAt, objectAt, stringAt } from '../json.ts';
import { toPathName } from '../print/identifiers.ts';

/** The URL of a server, with the usual values of its variables. */
const urlOf = (server: Json): string => {
  const variables = objectAt(server, 'variables');
  return (stringAt(server, 'url') ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    return stringAt(objectAt(variables, name), 'default') ?? whole;
  });
};

/** Where a document, a path or an operation says that it lives, without credentials. */
export const serversOf = (owner: Json): readonly string[] =>
  listAt(owner, 'servers')
    .filter(isObject)
    .map(urlOf)
    // A base URL needs `http:` or `https:`.
    .map((url) => url.replace(/^(?=\/\/)/, 'https:'))
    .map((url) => url.replace(/(?<=\/\/)[^/]*@/, '').replace(/\/+$/, ''));

const parameterPattern = /^\{([^{}]+)\}$/;

/** Whether a path is that of one resource. */
export const isOfOne = ({ path }: { readonly path: string }): boolean => /\}\/?$/.test(path);

/** The path of a collection: with `:name` for a parameter. */
const toCollectionPath = (segments: readonly string[]): string =>
  segments
    .map((segment) => segment.replace(parameterPattern, (_, name: string) => `:${toPathName(name)}`))
    .join('/');

/** The URL of an operation in a family: what is before the path of the family, the version, and the rest. */
const urlPattern = ({ path }: WholeFamily): RegExp => {
  const parts = path.split('{version}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^(?<base>.*?)/${parts.join('(?<version>\\d{1,9})')}/(?<rest>.+)$`);
};

/** Where an operation is: below which base URL, to which major version, and to which collection. */
export const placeOf = (server: string, given: string, family: WholeFamily) => {
  const path = given.replace(/(?<=.)\/$/, '');
  const url = server + path;
  const found = family.path === '' ? undefined : urlPattern(family).exec(url)?.groups;
  const { base, rest = '' } = family.path === '' ? { base: server, rest: path.slice(1) } : (found ?? {});
  const segments = rest.split('/');
  const endsWithId = parameterPattern.test(segments.at(-1) ?? '');
  const collection = toCollectionPath(endsWithId ? segments.slice(0, -1) : segments);
  // A family without versions has one that no URL shows.
  const version = base === undefined ? undefined : Number(found?.version ?? 0);
  return { url, base, version, collection, endsWithId, isSlashed: path !== given };
};
