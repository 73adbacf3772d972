// Which family the API of a document belongs to.
import { conventions, type Family, type ListForm, type WholeFamily } from '../../../families/family.ts';
import { nextPlaceOf, placeParameterOf } from '../../../families/list-form.ts';
import * as presets from '../../../families/presets.ts';
import { readFamily } from '../../../families/read-family.ts';
import { UsageError } from '../../errors.ts';
import { countOf } from '../../output/count.ts';
import { numberPlacesOf } from '../../recognise/evidence.ts';
import { newestOf, type Operation, placeIn } from '../api/operations.ts';
import { isOfOne } from '../api/urls.ts';
import { type Json, targetOf } from '../json.ts';
import { readDeclaredFamily, readOwnFamilies } from './declared.ts';
import { invalidOf } from './invalid-form.ts';
import { bodyOf, itemOf } from './item-form.ts';
import { itemsOf, mostOf, readListForm } from './list-form.ts';
import { type Candidate, candidateOf, findNearest, fitsPaths, identityOf } from './nearest.ts';
import { type FamilyOfCollection, findOwnPlaces } from './own-places.ts';
import { findPagedLists, isWhole, type PagedList } from './paged-lists.ts';
import { repeatedOf } from './repeated.ts';
import { writeFormOf } from './write-form.ts';

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
  /** Whether the document says of any list how it continues; undefined where it has no lists with pages. */
  readonly saysNext: boolean | undefined;
  /** The family of one collection. */
  readonly familyOf: FamilyOfCollection;
}

export const isConventional = ({ name }: WholeFamily): boolean => name === conventions.name;

/** The names of the page and its size in most lists, and the others of the family that an operation takes. */
const namesOf = (
  operations: readonly Operation[],
  lists: readonly PagedList[],
  { query }: WholeFamily,
): Pick<Family, 'query'> => {
  if (lists.every(isWhole)) return {};
  const { page: usualPage, perPage: usualSize, ...usual } = query;
  const page = mostOf(lists.map((one) => one.page));
  const size = mostOf(lists.flatMap((one) => one.perPage ?? []));
  const perPage = size ?? (page === undefined ? undefined : usualSize);
  if (page === usualPage && perPage === usualSize) return {};
  const isTaken = (name: string): boolean => operations.some((one) => one.queryParameters.has(name));
  // A preset has its names together.
  const others =
    page === undefined
      ? Object.fromEntries(Object.entries(usual).filter(([, name]) => isTaken(name)))
      : usual;
  return {
    query: { ...(page !== undefined && { page }), ...(perPage !== undefined && { perPage }), ...others },
  };
};

/** The number of the first page that a parameter says. Many documents have a minimum of 0 for any integer. */
const firstPageIn = ({ minimum, default: usual }: Json): 0 | 1 | undefined => {
  if (usual === 0 || usual === 1) return usual;
  return minimum === 1 ? minimum : undefined;
};

/** The number of the first page, where most lists say another one than the family. */
const firstPageOf = (
  document: Json,
  lists: readonly PagedList[],
  { firstPage: usual }: WholeFamily,
): Pick<Family, 'firstPage'> => {
  const schemas = lists.map(({ operation, page = '' }) => operation.queryParameters.get(page)?.schema);
  const firstPage = mostOf(schemas.flatMap((schema) => firstPageIn(targetOf(document, schema)) ?? []));
  return firstPage === undefined || firstPage === usual ? {} : { firstPage };
};

/**
 * Whether the paths of most resources end with a slash, or those of lists where there are no others. A list
 * of its own way says so in its declaration.
 */
const slashesOf = (operations: readonly Operation[], lists: readonly PagedList[]): boolean | undefined => {
  const isSlashed = ({ path }: Operation): boolean => path.endsWith('/');
  const ofResources = operations.filter(isOfOne).map(isSlashed);
  return mostOf(ofResources) ?? mostOf(lists.map(({ operation }) => isSlashed(operation)));
};

/** The parts of a preset that the lists of a document have otherwise. */
const readDifferences = (
  document: Json,
  operations: readonly Operation[],
  lists: readonly PagedList[],
  { family }: Candidate,
) => {
  const { list, known } = readListForm(document, lists, family);
  // A page alone does not tell families apart.
  const named = lists.filter(({ page, perPage }) => page === undefined || perPage !== undefined);
  const identities = named.map((one) => identityOf(one, family)).filter((one) => one !== undefined);
  const identity = mostOf(identities.map(({ fields }) => fields));
  const idField = mostOf(identities.map((one) => one.idField));
  const slashes = slashesOf(operations, lists);
  const parameters = Object.keys(family.listParameters);
  const item = itemOf(document, operations, family);
  const isAsked = lists.some(({ operation }) =>
    parameters.every((name) => operation.queryParameters.has(name)),
  );
  const differences: Family = {
    ...namesOf(operations, lists, family),
    ...(slashes !== undefined && slashes !== family.trailingSlash && { trailingSlash: slashes }),
    ...firstPageOf(document, lists, family),
    // The conventions join them.
    ...(isConventional(family) ? {} : repeatedOf(document, lists, family)),
    // Another server may take them for a filter.
    ...(parameters.length > 0 && !isAsked && { listParameters: {} }),
    ...(list !== family.list && { list }),
    ...item,
    ...bodyOf(document, operations, item.item ?? family.item, family),
    ...(lists.length > 0 && writeFormOf(operations, lists, family)),
    ...(lists.length > 0 && invalidOf(document, operations, family)),
    ...(identity !== undefined && identity.length !== family.identity.length && { identity }),
    ...(idField !== undefined && idField !== family.idField && { idField }),
  };
  return { differences, known };
};

const describeChoice = (lists: readonly PagedList[], family: WholeFamily): string => {
  const { page, perPage } = family.query;
  const { items = '' }: ListForm = family.list;
  const inPlace = lists.filter((one) => itemsOf(one, family) === items);
  const whole = inPlace.filter(isWhole).length;
  const place = items === '' ? '' : `, with the records in \`${items}\``;
  if (whole > 0)
    return `by ${countOf(whole, 'list')} without pages${place}: one response is read as the whole list`;
  const alike = inPlace.filter((one) => one.page === page && one.perPage === perPage).length;
  if (alike === 0) return 'because no list has the names and the form of another preset';
  const parameters = [page ?? placeParameterOf(family.list), perPage].filter((name) => name !== undefined);
  const links = [nextPlaceOf(family.list)?.body ?? 'Link'];
  const names = (parameters.length > 0 ? parameters : links).map((name) => `\`${name}\``);
  return `by ${names.join(' and ')} of ${countOf(alike, 'list')}${place}`;
};

const describeNamedChoice = ({ family }: Candidate, { list }: Family): string => {
  const usual: ListForm = family.list;
  const isOther = list !== undefined && JSON.stringify(list.next) !== JSON.stringify(usual.next ?? 'link');
  if (!isOther) return 'as --family says';
  return 'as --family says, although its lists continue in another way by the document; the import without --family reads it';
};

/** The headers that each list of a family must have, and that no operation of a document names. */
const undocumentedIn = (operations: readonly Operation[], family: WholeFamily): readonly string[] => {
  const named = new Set(
    operations.flatMap(({ responses }) => responses.flatMap(({ headers }) => [...headers])),
  );
  return numberPlacesOf(family.list).flatMap((place) => {
    const isNeeded = 'header' in place && !place.optional && !named.has(place.header.toLowerCase());
    return isNeeded ? [place.header] : [];
  });
};

const presetOf = (name: string): Candidate => {
  const known = Object.entries(presets).find(([preset]) => preset === name);
  if (known !== undefined) return candidateOf(...known);
  const names = Object.keys(presets).join(', ');
  throw new UsageError(`--family must be the name of a preset: ${names}`);
};

/** Whether most operations with a version have the newest one. Otherwise each path has its version. */
const isOfOneVersion = (operations: readonly Operation[]): boolean => {
  const { major, base } = newestOf(operations);
  const versioned = operations.filter(({ version }) => version !== undefined);
  const newest = versioned.filter((one) => one.version === major && one.base === base);
  return newest.length * 2 >= versioned.length;
};

/** What a path has in front of its collections: `api`, a version, or both. */
const frontPattern = /^(?:api|rest|v\d+(?:\.\d+)*|\d+\.\d+)$/i;

/** What all paths of a document start with, in front of their collections; empty for none. */
const commonPathOf = (operations: readonly Operation[]): string => {
  const [first = [], ...others] = operations.map(({ path }) => path.split('/').slice(1, -1));
  const end = first.findIndex((segment, at) => others.some((other) => other[at] !== segment));
  const common = end === -1 ? first : first.slice(0, end);
  const front = common.slice(0, common.findLastIndex((segment) => frontPattern.test(segment)) + 1);
  return front.join('/').replace(/(?<=^v|\/v)\d{1,9}$/, '{version}');
};

/** Whether a list has records. Without numbers of pages, only records with an id make it certain. */
const hasRecords = (list: PagedList, { family }: Candidate): boolean =>
  list.page === undefined ? identityOf(list, family) !== undefined : itemsOf(list, family) !== undefined;

/** A preset with differences. One of the conventions is another family than that of the conventions. */
const changed = ({ preset, family }: Candidate, differences: Family): WholeFamily => {
  if (Object.keys(differences).length === 0) return family;
  return readFamily({ ...family, ...differences, name: `${preset} with differences` });
};

/**
 * Chooses the family of a document: the preset of a name as it is, or the one of which the document has most,
 * with what its lists have otherwise. Where most paths of the document are others than those of the preset,
 * what all paths have in common takes its place.
 *
 * @throws {@link UsageError} for a name that no preset has, and a family in the document that is not valid
 */
export const chooseFamily = (
  document: Json,
  operations: readonly Operation[],
  name: string | undefined,
): ChosenFamily => {
  const declared = name === undefined ? readDeclaredFamily(document) : undefined;
  if (declared !== undefined)
    return {
      ...declared,
      reason: 'as the document says',
      undocumented: [],
      saysNext: undefined,
      familyOf: readOwnFamilies(declared.family),
    };
  const all = findPagedLists(document, operations);
  const candidate = name === undefined ? findNearest(operations, all) : presetOf(name);
  const lists = all.filter((one) => hasRecords(one, candidate));
  const read = readDifferences(document, operations, lists, candidate);
  const ofLists = name === undefined ? read.differences : {};
  const inLists = changed(candidate, ofLists);
  // A few paths with a version are enough for the conventions, which have one in each (§9).
  const isBelowPath = isConventional(inLists)
    ? operations.some(({ version }) => version !== undefined)
    : fitsPaths(operations, inLists);
  const isPlaced = isBelowPath && isOfOneVersion(placeIn(operations, inLists));
  const common = commonPathOf(operations);
  // A version behind the path of a preset is a part of it. Those of the conventions have one in front.
  const isLonger = !isConventional(inLists) && common.startsWith(`${inLists.path}/`);
  const path = isPlaced && inLists.path !== '' && !isLonger ? inLists.path : common;
  const differences = path === inLists.path ? ofLists : { path, ...ofLists };
  const family = changed(candidate, differences);
  return {
    preset: candidate.preset,
    family,
    differences,
    reason:
      name === undefined ? describeChoice(lists, family) : describeNamedChoice(candidate, read.differences),
    undocumented: undocumentedIn(operations, family),
    saysNext: lists.length === 0 ? undefined : read.known.size > 0,
    familyOf: isConventional(family)
      ? () => family
      : findOwnPlaces(document, { family, isNamed: name !== undefined }),
  };
};
