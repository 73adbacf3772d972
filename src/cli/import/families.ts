// Which family the API of a document belongs to.
import { header } from '../../conventions.ts';
import {
  conventions,
  type Family,
  type ListForm,
  type Place,
  type WholeFamily,
} from '../../families/family.ts';
import * as presets from '../../families/presets.ts';
import { readFamily } from '../../families/read-family.ts';
import { UsageError } from '../errors.ts';
import { type Json, schemaAt, targetOf } from './json.ts';
import { isJson, type Operation, readOperations } from './operations.ts';

/** A family of a document, and by what it was chosen. */
export interface ChosenFamily {
  /** Its name in `restkin/families`. */
  readonly preset: string;
  readonly family: WholeFamily;
  /** The parts in which it differs from the preset. */
  readonly differences: Family;
  /** By what it was chosen, in words. */
  readonly reason: string;
  /** Headers that each list must have by the family, and that the document does not name. */
  readonly undocumented: readonly string[];
}

export const isConventional = ({ name }: WholeFamily): boolean => name === conventions.name;

/** How well a family fits a document: the lists that it reads, and what else of it the document has. */
interface Fit {
  readonly preset: string;
  readonly family: WholeFamily;
  readonly lists: number;
  readonly others: number;
}

const placesOf = ({ list }: WholeFamily): readonly Place[] => {
  const { totalCount, totalPages, number, size }: ListForm = list;
  return [totalCount, totalPages, number, size].flatMap((place) => place ?? []);
};

/** The parameters that a family has beside the page and its size; what sorts may be two of them. */
const otherNamesOf = ({ query, sortAs, listParameters }: WholeFamily): readonly (readonly string[])[] => {
  const { sort, fields, expand } = query;
  const sorting = typeof sortAs === 'object' ? [sort, sortAs.direction] : [sort];
  const all = [sorting, [fields], [expand], ...Object.keys(listParameters).map((name) => [name])];
  return all.map((names) => names.filter((name) => name !== undefined)).filter(({ length }) => length > 0);
};

const count = (all: readonly unknown[]): number => all.filter(Boolean).length;

/**
 * What a list operation has of a family beside its pages; undefined for one that the family does not read.
 */
const fitList = (
  document: Json,
  { queryParameters, responses }: Operation,
  family: WholeFamily,
): number | undefined => {
  const { page, perPage } = family.query;
  const hasNames = [page, perPage].every((name) => name !== undefined && queryParameters.has(name));
  const found = responses.find(({ contents }) => contents.some(isJson));
  const body = found?.contents.find(isJson)?.schema;
  const { items = '', totalCount }: ListForm = family.list;
  const isInBody = (place: Place): boolean =>
    'body' in place && schemaAt(document, body, place.body) !== undefined;
  const hasList = targetOf(document, schemaAt(document, body, items)).type === 'array';
  const needsTotal = totalCount !== undefined && 'body' in totalCount;
  if (!hasNames || !hasList || (needsTotal && !isInBody(totalCount))) return undefined;
  const isFound = (place: Place): boolean =>
    'header' in place ? found?.headers.includes(place.header.toLowerCase()) === true : isInBody(place);
  return count([
    ...placesOf(family).map(isFound),
    ...otherNamesOf(family).map((names) => names.every((name) => queryParameters.has(name))),
    placesOf(family).length === 0 && found?.headers.includes(header.link),
  ]);
};

/** Whether most paths of a document are those of a family. */
const fitsPaths = (operations: readonly Operation[]): boolean => {
  const inside = operations.filter(({ version, isOtherSlash }) => version !== undefined && !isOtherSlash);
  return inside.length * 2 >= operations.length;
};

const measure = (document: Json, preset: string, given: Family): Fit => {
  const family = readFamily(given);
  const operations = readOperations(document, family);
  const lists = operations.filter(({ method, path }) => method === 'GET' && !/\}\/?$/.test(path));
  const fits = lists.flatMap((operation) => fitList(document, operation, family) ?? []);
  const others = fits.reduce((sum, one) => sum + one, 0);
  return { preset, family, lists: fits.length, others: others + (fitsPaths(operations) ? 1 : 0) };
};

/** The family that reads most lists; of several, the one of which the document has more. */
const recognise = (document: Json): Fit => {
  const all = Object.entries(presets).map(([preset, family]) => measure(document, preset, family));
  const isBetter = (one: Fit, other: Fit): boolean =>
    one.lists > other.lists || (one.lists === other.lists && one.others > other.others);
  const best = all.reduce((one, other) => (isBetter(other, one) ? other : one));
  return best.lists > 0 ? best : measure(document, 'conventions', conventions);
};

const describe = ({ lists, family }: Fit): string => {
  if (lists === 0) return 'because no list has the names and the form of another preset';
  const { page, perPage } = family.query;
  const { items = '' }: ListForm = family.list;
  const place = items === '' ? '' : `, with the records in \`${items}\``;
  return `by \`${page}\` and \`${perPage}\` of ${lists} ${lists === 1 ? 'list' : 'lists'}${place}`;
};

/** The headers that each list of a family must have, and that no operation of a document names. */
const undocumentedIn = (operations: readonly Operation[], family: WholeFamily): readonly string[] => {
  const named = new Set(
    operations.flatMap(({ responses }) => responses.flatMap(({ headers }) => [...headers])),
  );
  return placesOf(family).flatMap((place) => {
    const isNeeded = 'header' in place && !place.optional && !named.has(place.header.toLowerCase());
    return isNeeded ? [place.header] : [];
  });
};

const presetOf = (name: string): Family => {
  const known = Object.entries(presets).find(([preset]) => preset === name);
  if (known !== undefined) return known[1];
  const names = Object.keys(presets).join(', ');
  throw new UsageError(`--family must be the name of a preset: ${names}`);
};

/**
 * Chooses the family of a document: the preset of a name, or the one that its lists show. Where most paths of
 * the document are others than those of the preset, its path is left out.
 *
 * @throws {@link UsageError} for a name that no preset has
 */
export const chooseFamily = (document: Json, name: string | undefined): ChosenFamily => {
  const found = name === undefined ? recognise(document) : measure(document, name, presetOf(name));
  const { preset, family } = found;
  const reason = name === undefined ? describe(found) : 'as --family says';
  const operations = readOperations(document, family);
  const undocumented = undocumentedIn(operations, family);
  if (isConventional(family) || fitsPaths(operations))
    return { preset, family, differences: {}, reason, undocumented };
  const differences = { path: '' };
  return { preset, family: { ...family, ...differences }, differences, reason, undocumented };
};
