// Where the bodies of one collection have its records and its cursor, if elsewhere than in its family.
import { header } from '../../../conventions.ts';
import { type Family, itemPathOf, type ListForm, type WholeFamily } from '../../../families/family.ts';
import { pathsIn, valueAt } from '../../../families/path.ts';
import { readFamily } from '../../../families/read-family.ts';
import { InvalidRequestError } from '../../../index.ts';
import { toSingular } from '../../../openapi/names.ts';
import { isObject } from '../../../options.ts';
import { hasId } from '../../id-names.ts';
import { findUsual, hasEnd, hasLink } from '../../recognise/list.ts';
import { isPlainJson, jsonResponsesOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { type Json, schemaAt, targetOf } from '../json.ts';
import { exampleOf, exampleResponseOf } from './example.ts';
import { findSize, mayHavePages } from './paged-lists.ts';
import { findUnnumbered, toPlainName } from './unnumbered-lists.ts';

/**
 * The family of each collection of a document, by the operations of its paths. Once it is known which of
 * them fit, the parts that only others need are left out.
 */
export type FamilyOfCollection = (
  operations: readonly Operation[],
  fitting?: readonly Operation[],
) => WholeFamily;

/** The family of a document. */
export interface FamilyOfDocument {
  readonly family: WholeFamily;
  /** Whether the user named it: its lists then continue as it says. */
  readonly isNamed: boolean;
}

/** An example has a row only of what has an id. */
const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.some(isObject);

const lastOf = (path: string, separator: string): string => path.slice(path.lastIndexOf(separator) + 1);

/** Whether the name at the end of a path of a body is that of a collection, or of one resource of it. */
const isNamedAs = (path: string, { collection }: Operation): boolean => {
  const segment = lastOf(collection, '/');
  const name = toPlainName(lastOf(path, '.'));
  return [segment, toSingular(segment)].some((one) => toPlainName(one) === name);
};

const bodyOf = (document: Json, operation: Operation): unknown =>
  exampleOf(document, jsonResponsesOf(operation)[0]?.schema);

/** Where a list has its records; undefined where that is not certain. */
const itemsOf = (
  document: Json,
  operation: Operation,
  others: readonly Operation[],
  family: WholeFamily,
): string | undefined => {
  const { items: usual = '' }: ListForm = family.list;
  const [content] = jsonResponsesOf(operation);
  const { type } = targetOf(document, schemaAt(document, content?.schema, usual));
  if ([type].flat().includes('array')) return usual;
  const body = bodyOf(document, operation);
  if (Array.isArray(body)) return '';
  // What has an id is one resource that holds others.
  if (hasId(body)) return undefined;
  const places = pathsIn(body, isListOfRecords);
  const named = places.find((place) => isNamedAs(place, operation));
  const hasPages = mayHavePages(document, operation) || others.some(({ endsWithId }) => endsWithId);
  // A resource beside the list is what the response is about.
  const isList = hasPages && places.length === 1 && pathsIn(body, hasId).length === 0;
  return named ?? (isList ? places[0] : undefined);
};

/** Where a response has one resource; undefined where that is not certain. */
const itemOf = (document: Json, operation: Operation, family: WholeFamily): string | undefined => {
  const body = bodyOf(document, operation);
  const usual = itemPathOf(family, operation.method);
  const own = ['', 'data'].find((path) => hasId(valueAt(body, path)));
  if (hasId(valueAt(body, usual))) return usual;
  if (own !== undefined) return own;
  const places = pathsIn(body, hasId);
  const isAlone = Object.keys(Object(body)).length === 1;
  return places.find((place) => isNamedAs(place, operation)) ?? (isAlone ? places[0] : undefined);
};

/** Reports what a response has beside the resource, such as a password that only that to a POST has. */
export const notesOfBeside = (
  operation: Operation,
  { document, family }: { readonly document: Json; readonly family: WholeFamily },
): readonly string[] => {
  const path = itemPathOf(family, operation.method);
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0));
  const names = Object.keys(Object(valueAt(bodyOf(document, operation), parent)));
  const others = names.filter((name) => name !== lastOf(path, '.')).map((name) => `\`${name}\``);
  if (path === '' || others.length === 0) return [];
  return [`${others.join(', ')} of its response, beside the resource`];
};

/** The name of the one object that a request body is made of; undefined for another body. */
export const wrapperOf = (document: Json, { bodies }: Operation): string | undefined => {
  const content = bodies.find(isPlainJson);
  const body = content && exampleOf(document, content.schema);
  const [name, ...others] = Object.keys(isObject(body) ? body : {});
  return name !== undefined && others.length === 0 && isObject(valueAt(body, name)) ? name : undefined;
};

const writing: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Where all requests of a collection have what is written; undefined where none has a body. */
const writtenIn = (
  document: Json,
  operations: readonly Operation[],
  item: string | undefined,
  { body: usual }: WholeFamily,
): string | undefined => {
  const all = operations.filter(({ method, bodies }) => writing.includes(method) && bodies.length > 0);
  const [first] = all;
  if (first === undefined) return undefined;
  const isAt = (path: string): boolean =>
    all.every(({ bodies }) => schemaAt(document, bodies.find(isPlainJson)?.schema, path) !== undefined);
  if (usual !== '' && isAt(usual)) return usual;
  const names = new Set(all.map((one) => wrapperOf(document, one)));
  const record = valueAt(bodyOf(document, first), item ?? '');
  const [name] = names;
  const isKnown = name !== undefined && (name === item || isNamedAs(name, first));
  // A body of one field is no wrapper.
  const isField = isObject(record) && name !== undefined && Object.hasOwn(record, name);
  return names.size === 1 && isKnown && !isField ? name : '';
};

/** Where the responses of operations have one resource: to a GET, and to a write. */
const itemsOfOne = (document: Json, operations: readonly Operation[], family: WholeFamily) => {
  const found = operations
    .filter(({ method, endsWithId }) => endsWithId || method !== 'GET')
    .map((one) => ({ isRead: one.method === 'GET', item: itemOf(document, one, family) }))
    .filter(({ item }) => item !== undefined);
  const read = found.find(({ isRead }) => isRead)?.item;
  const ofWrites = found.filter(({ isRead }) => !isRead).map(({ item }) => item);
  // A write may return another resource, such as a receipt.
  const written = ofWrites.includes(read) ? read : ofWrites[0];
  return { read: read ?? written, written: written ?? read };
};

/** The parts of a family of numbered pages that a list has otherwise, if a cursor of its body leads on. */
const cursorPartsOf = (
  document: Json,
  operation: Operation,
  items: string,
  { query: { page, perPage: _usualSize, ...query } }: WholeFamily,
): Family => {
  const hasLink = operation.responses.some(({ headers }) => headers.includes(header.link));
  const next = findUnnumbered(document, operation, false);
  if (page === undefined || operation.queryParameters.has(page) || hasLink) return {};
  if (next === undefined || !('body' in next)) return {};
  const perPage = findSize(document, operation);
  return {
    query: { ...(perPage !== undefined && { perPage }), ...query },
    list: { ...(items !== '' && { items }), next },
  };
};

/**
 * The form of a list that takes numbers of pages and has a total, but no `Link`, in a family of links: without
 * a link, it would end after its first page.
 */
const numberedListOf = (
  document: Json,
  operation: Operation,
  items: string,
  { list, query: { page = '' } }: WholeFamily,
): Pick<Family, 'list'> => {
  const { next = 'link' }: ListForm = list;
  const example = exampleResponseOf(document, operation);
  if (next !== 'link' || example === undefined || hasLink([example])) return {};
  const totals = findUsual([example]);
  const isCounted = operation.queryParameters.has(page) && hasEnd([example], totals);
  return isCounted ? { list: { ...(items !== '' && { items }), next: 'number', ...totals } } : {};
};

/**
 * The parts of a family in which a collection has its records elsewhere.
 *
 * @param fitting - the operations that are those of the collection
 */
const placesOf = (
  document: Json,
  operations: readonly Operation[],
  fitting: readonly Operation[],
  { family, isNamed }: FamilyOfDocument,
): Family => {
  const list = operations.find(({ method, endsWithId }) => method === 'GET' && !endsWithId);
  const items = list && itemsOf(document, list, operations, family);
  const usualRead = itemPathOf(family, 'GET');
  const usualWritten = itemPathOf(family, 'POST');
  const { read = usualRead, written = usualWritten } = itemsOfOne(document, fitting, family);
  const isUsual = read === usualRead && written === usualWritten;
  const ofAll = itemsOfOne(document, operations, family);
  const isWritten = fitting.some(({ method }) => writing.includes(method));
  const body = isWritten ? writtenIn(document, operations, ofAll.written, family) : undefined;
  const { items: usual = '', ...rest }: ListForm = family.list;
  return {
    ...(items !== undefined && items !== usual && { list: { ...(items !== '' && { items }), ...rest } }),
    ...(!isUsual && { item: read === written ? read : { read, written } }),
    ...(body !== undefined && body !== family.body && { body }),
    ...(list !== undefined &&
      items !== undefined && {
        ...(isNamed ? {} : numberedListOf(document, list, items, family)),
        ...cursorPartsOf(document, list, items, family),
      }),
  };
};

/** Whether a family has no parts that contradict each other. */
export const isValid = (family: Family): boolean => {
  try {
    readFamily(family);
    return true;
  } catch (error) {
    if (error instanceof InvalidRequestError) return false;
    throw error;
  }
};

/** Finds where the bodies of each collection have its records, in a document that a person wrote. */
export const findOwnPlaces =
  (document: Json, chosen: FamilyOfDocument): FamilyOfCollection =>
  (operations, fitting = operations) => {
    const { family } = chosen;
    const places = placesOf(document, operations, fitting, chosen);
    const own: Family = { ...family, ...places };
    // The next page or a total may be inside of its list.
    return Object.keys(places).length > 0 && isValid(own) ? readFamily(own) : family;
  };
