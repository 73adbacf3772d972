import { type ErrorItem, errorItemCode } from '../src/conventions/error-body.ts';
import {
  descendingPrefix,
  listSeparator,
  pathSeparator,
  type QueryParameter,
  queryParameters,
} from '../src/conventions/parameters.ts';
import type { CollectionOptions } from '../src/schema/collection.ts';
import { maxDepth } from './body.ts';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './error-answer.ts';
import { type Described, fieldAt } from './fields.ts';
import { type Names, noNames, splitNames, toNames } from './names.ts';
import { type OwnParameters, parameterNames, readOwnParameters } from './parameters.ts';

/** One field of `sort` (§4.4). */
export interface SortField {
  readonly path: string;
  readonly descending: boolean;
}

/** The query of a GET as the mock reads it (§4.4). */
export interface ReadQuery {
  readonly sort: readonly SortField[];
  /** The only fields that return; all of them when undefined. */
  readonly fields: Names | undefined;
  readonly expand: Names;
  readonly page: number;
  /** Undefined when the client left it to the endpoint. */
  readonly perPage: number | undefined;
  readonly own: OwnParameters;
}

const parametersMessage = 'The query parameters are not valid';

const wrong = (field: string, message: string): ErrorItem => ({
  field,
  code: errorItemCode.invalid,
  message,
});

const isConventional = (name: string): name is QueryParameter =>
  (queryParameters as readonly string[]).includes(name);

const supports = (options: CollectionOptions, name: QueryParameter, isList: boolean): boolean => {
  if (name === 'fields' || name === 'expand') return options[name] !== undefined;
  // Only for a collection GET (§4.4).
  return isList && options[name === 'sort' ? 'sort' : 'paging'] !== undefined;
};

const checkNumber = (name: 'page' | 'perPage', text: string, options: CollectionOptions) => {
  if (!/^[1-9]\d{0,14}$/.test(text)) return `${name} must be a whole number from 1`;
  const most = typeof options.paging === 'object' ? options.paging.maxPerPage : undefined;
  return name === 'perPage' && most !== undefined && Number(text) > most
    ? `perPage is above the maximum of ${most}`
    : undefined;
};

const checkName = (
  parameter: 'sort' | 'fields' | 'expand',
  name: string,
  options: CollectionOptions,
  resource: Described,
): string | undefined => {
  const isDeep = name.split(pathSeparator, maxDepth + 1).length > maxDepth;
  const field = isDeep ? undefined : fieldAt(resource, name);
  if (field === undefined) return `${JSON.stringify(name)} is not a field`;
  const declared = options[parameter];
  if (declared === true || declared?.includes(name) === true) return undefined;
  return `${JSON.stringify(name)} is not supported by ${parameter} here`;
};

/** What is wrong with a parameter of the conventions; undefined when it can be read. */
const checkConventional = (
  name: QueryParameter,
  text: string,
  options: CollectionOptions,
  resource: Described,
): string | undefined => {
  if (name === 'page' || name === 'perPage') return checkNumber(name, text, options);
  for (const given of splitNames(text)) {
    const path = name === 'sort' && given.startsWith(descendingPrefix) ? given.slice(1) : given;
    const problem = checkName(name, path, options, resource);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const checkParameter = (
  name: string,
  texts: readonly string[],
  { collection: { options }, resource }: Endpoint,
  isList: boolean,
): string | undefined => {
  if (!isConventional(name)) {
    const isOwn = isList && parameterNames(options.params).includes(name);
    return isOwn ? undefined : 'this endpoint has no such query parameter';
  }
  if (!supports(options, name, isList)) return `this endpoint does not support ${name}`;
  if (texts.length > 1) return `${name} stands there ${texts.length} times`;
  return checkConventional(name, texts[0] ?? '', options, resource);
};

const toSortField = (text: string): SortField =>
  text.startsWith(descendingPrefix)
    ? { path: text.slice(1), descending: true }
    : { path: text, descending: false };

const toNumber = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

/** An own parameter that stands there several times is a list, as one with commas is. */
const ownTexts = (search: URLSearchParams): ReadonlyMap<string, string> =>
  new Map(
    [...new Set(search.keys())]
      .filter((name) => !isConventional(name))
      .map((name) => [name, search.getAll(name).join(listSeparator)]),
  );

/**
 * Reads the query of a GET.
 *
 * @throws {@link Refusal} 400 with an item for each parameter that the endpoint cannot take (§4.4, §7.1)
 */
export const readQuery = async (
  endpoint: Endpoint,
  search: URLSearchParams,
  isList: boolean,
): Promise<ReadQuery> => {
  const problems = [...new Set(search.keys())].flatMap((name) => {
    const problem = checkParameter(name, search.getAll(name), endpoint, isList);
    return problem === undefined ? [] : [wrong(name, problem)];
  });
  const { params } = endpoint.collection.options;
  const own = isList && params !== undefined ? await readOwnParameters(params, ownTexts(search)) : undefined;
  const items = [
    ...problems,
    ...(own?.errors ?? []).filter(({ field }) => !problems.some((problem) => problem.field === field)),
  ];
  if (items.length > 0) throw new Refusal(400, parametersMessage, items);
  const sort = search.get('sort');
  const fields = search.get('fields');
  const expand = search.get('expand');
  return {
    sort: sort === null ? [] : splitNames(sort).map(toSortField),
    fields: fields === null ? undefined : toNames(splitNames(fields)),
    expand: expand === null ? noNames : toNames(splitNames(expand)),
    page: toNumber(search.get('page')) ?? 1,
    perPage: toNumber(search.get('perPage')),
    own: own ?? { parsed: {}, sent: {} },
  };
};

/** @throws {@link Refusal} 400 when a request that is no GET has query parameters: none are declared for it */
export const refuseQuery = (search: URLSearchParams): void => {
  const items = [...new Set(search.keys())].map((name) =>
    wrong(name, 'only a GET takes query parameters here'),
  );
  if (items.length > 0) throw new Refusal(400, parametersMessage, items);
};
