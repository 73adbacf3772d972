import { valueAt } from '../../families/path.ts';
import { nextParameters, objectsIn } from './next.ts';
import { findNumbers } from './numbers.ts';
import type { SeenResponse } from './observe.ts';

/**
 * The parameter of a start, as `skip` of Sails, `$skip` of Feathers and OData, and `filter[skip]` of
 * LoopBack.
 */
export const isOffsetName = (name: string): boolean =>
  /^(?:\$?skip|offset|startAt|(?:filter|page)\[(?:skip|offset)\])$/i.test(name);

/** LoopBack takes the start in a `filter` of JSON too. */
const isOffsetFilter = (name: string, value: string): boolean =>
  name === 'filter' && /"(?:skip|offset)"\s*:/.test(value);

/** True for a parameter that says how many records are before a page. */
export const isOffset = ([name, value]: readonly [string, string]): boolean =>
  isOffsetName(name) || isOffsetFilter(name, value);

const hasOffset = (parameters: URLSearchParams): boolean => [...parameters].some(isOffset);

/** The name of a start beside the records, as Feathers and Jira have it, or in an object such as `meta`. */
const findInBody = (body: unknown): string | undefined =>
  objectsIn(body)
    .flatMap((path) =>
      ['skip', 'offset', 'startAt'].filter((name) => Number.isInteger(valueAt(valueAt(body, path), name))),
    )
    .at(0);

/** The name of a start that a list was asked for, or that it has beside its records. */
export const offsetNameIn = ({ url, body }: SeenResponse): string | undefined =>
  [...url.searchParams.keys()].find(isOffsetName) ?? findInBody(body);

/**
 * True where a list is continued from a number of records, not of a page. Its next page decides. Beside the
 * number of a page, as Spring has it, a start is that of the page.
 */
export const isByOffset = (response: SeenResponse): boolean => {
  const next = nextParameters(response);
  if (next !== undefined) return hasOffset(next);
  if (hasOffset(response.url.searchParams)) return true;
  return findInBody(response.body) !== undefined && findNumbers([response]).number === undefined;
};
