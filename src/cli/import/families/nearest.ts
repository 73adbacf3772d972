// Which preset names most of what a document has.
import { conventions, type Family, type ListForm, type WholeFamily } from '../../../families/family.ts';
import { nextPlaceOf } from '../../../families/list-form.ts';
import { valueAt } from '../../../families/path.ts';
import * as presets from '../../../families/presets.ts';
import { readFamily } from '../../../families/read-family.ts';
import { numberPlacesOf } from '../../recognise/evidence.ts';
import { hasLink, isFound } from '../../recognise/list.ts';
import { findNextPath } from '../../recognise/next.ts';
import { type Operation, placeIn } from '../api/operations.ts';
import { itemsOf } from './list-form.ts';
import type { PagedList, SeenIdentity } from './paged-lists.ts';

/** The parameters that a family has beside the page and its size; what sorts may be two of them. */
const otherNamesOf = ({ query, sortAs, listParameters }: WholeFamily): readonly (readonly string[])[] => {
  const { sort, fields, expand } = query;
  const sorting = typeof sortAs === 'object' ? [sort, sortAs.direction] : [sort];
  const all = [sorting, [fields], [expand], ...Object.keys(listParameters).map((name) => [name])];
  return all.map((names) => names.filter((name) => name !== undefined)).filter(({ length }) => length > 0);
};

const count = (all: readonly unknown[]): number => all.filter(Boolean).length;

/** The identity that the records of a list have; undefined where they have none. */
export const identityOf = (list: PagedList, family: WholeFamily): SeenIdentity | undefined => {
  const items = itemsOf(list, family);
  return items === undefined ? undefined : list.identityAt(items);
};

/** How much of a list a family names as the document does. */
const scoreOf = (list: PagedList, family: WholeFamily): number => {
  const { page, perPage, example, operation } = list;
  const { items = '', next = 'link' }: ListForm = family.list;
  const nextPlace = nextPlaceOf(family.list);
  const places = numberPlacesOf(family.list);
  const missing = places.filter((place) => !place.optional && !isFound(place, [example]));
  const leadsOn =
    nextPlace === undefined ? hasLink([example]) : findNextPath(example.body) === nextPlace.body;
  const isAsked = (name: string): boolean => operation.queryParameters.has(name);
  const others = otherNamesOf(family).filter((names) => names.every(isAsked));
  const unasked = Object.keys(family.listParameters).filter((name) => !isAsked(name));
  return (
    (page === family.query.page ? 2 : 0) +
    (perPage === family.query.perPage ? 4 : 0) +
    (Array.isArray(valueAt(example.body, items)) ? 3 : 0) +
    ((identityOf(list, family)?.fields ?? ['id']).length === family.identity.length ? 2 : 0) +
    (next !== 'number' && leadsOn ? 1 : 0) +
    count(places.map((place) => isFound(place, [example]))) -
    missing.length -
    unasked.length * 2 +
    others.length
  );
};

/** Whether most paths of a document are those of a family. */
export const fitsPaths = (operations: readonly Operation[], family: WholeFamily): boolean => {
  const inside = placeIn(operations, family).filter(
    ({ version, isSlashed }) => version !== undefined && (isSlashed || !family.trailingSlash),
  );
  return inside.length * 2 >= operations.length;
};

/** A preset as a family, with its name in `restkin/families`. */
export interface Candidate {
  readonly preset: string;
  readonly family: WholeFamily;
}

export const candidateOf = (preset: string, given: Family): Candidate => ({
  preset,
  family: readFamily(given),
});

const usual = candidateOf('conventions', conventions);

/** The preset of which a document has most. */
export const findNearest = (operations: readonly Operation[], lists: readonly PagedList[]): Candidate => {
  // A page alone does not tell families apart, and no preset has cursors or offsets.
  if (!lists.some(({ page, perPage }) => page !== undefined && perPage !== undefined)) return usual;
  const scored = Object.entries(presets)
    // The order of the names of a module is not that of its source.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([preset, given]) => {
      const candidate = candidateOf(preset, given);
      const scores = lists.map((list) => scoreOf(list, candidate.family));
      const ofPaths = fitsPaths(operations, candidate.family) ? 1 : 0;
      return { candidate, score: scores.reduce((sum, one) => sum + one, ofPaths) };
    });
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).candidate;
};
