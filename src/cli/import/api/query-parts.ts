// What an operation of a document has of the parts of a query (§4.4), by the names of its family.
import { identityFields, type operationMethods, pathSeparator } from '../../../conventions.ts';
import type { QueryNames, WholeFamily } from '../../../families/family.ts';
import { type Json, stringsAt, targetOf } from '../json.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import type { Operation } from './operations.ts';
import { notesOfPages, pageParameterOf, readPaging, readWay } from './paging.ts';

/** An operation of a collection: `list`, `get`, … */
export type Kind = keyof typeof operationMethods;

/** A part of a query. */
export type Part = keyof QueryNames;

const parts = ['sort', 'fields', 'expand', 'page', 'perPage'] as const satisfies readonly Part[];

/** Field paths, `true` for any of the resource. */
export type Names = true | readonly string[] | undefined;

/** What a family writes before or behind the name of a field to sort by. */
const sortSigns = /^-|[,: ](?:asc|desc)$/i;

/** The names that a parameter takes, `true` for any; undefined without the parameter. */
const namesIn = (schema: Json | undefined, { document }: Model): Names => {
  if (schema === undefined) return undefined;
  const names = schema.type === 'array' ? targetOf(document, schema.items) : schema;
  if (names.enum === undefined) return true;
  return [...new Set(stringsAt(names, 'enum').map((path) => path.replace(sortSigns, '')))];
};

/** The names of fields, without others; undefined without any. */
const knownIn = (names: Names, isKnown: (path: string) => boolean): Names => {
  if (names === true || names === undefined) return names;
  const known = names.filter(isKnown);
  return known.length > 0 ? known : undefined;
};

/** Names of fields as a declaration has them. */
const declaredNames = (names: Names, resource: Schema, { toDeclaredPath }: Model): Names =>
  names === true ? names : names?.map((path) => toDeclaredPath(resource, path));

const isIdentity = (path: string): boolean =>
  identityFields.some((name) => name === path.split(pathSeparator).at(-1));

/** The names of `fields` without the identity, which the client adds where no server implies it. */
const withoutIdentity = (names: Names, { impliesIdentity }: WholeFamily): Names => {
  if (names === true || names === undefined || impliesIdentity) return names;
  const others = names.filter((path) => !isIdentity(path));
  return others.length > 0 ? others : names;
};

/** The parts that the client writes for an operation, of those that the document has. */
const writtenBy = (kind: Kind, isPaged: boolean): readonly Part[] => {
  if (kind === 'get') return ['fields', 'expand'];
  if (kind !== 'list') return [];
  return parts.filter((part) => isPaged || (part !== 'page' && part !== 'perPage'));
};

/** The schema of each part that a family has and that an operation takes. */
const schemasOf = ({ queryParameters: all }: Operation, { document, family }: Model) => {
  const found = parts.flatMap((part) => {
    const value = all.get(family.query[part] ?? '');
    return value === undefined ? [] : [[part, targetOf(document, value.schema)] as const];
  });
  return new Map<Part, Json>(found);
};

/** The fields and the nested resources that an operation selects (§4.4); `true` for all. */
export const readSelection = (operation: Operation, resource: Schema, model: Model) => {
  const schemas = schemasOf(operation, model);
  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const canExpand = (path: string): boolean => model.nestedAt(resource, path) !== undefined;
  const fields = declaredNames(knownIn(namesIn(schemas.get('fields'), model), hasField), resource, model);
  return {
    fields: withoutIdentity(fields, model.family),
    /** `true` for every nested resource that may be expanded, which the whole document says. */
    expand: knownIn(namesIn(schemas.get('expand'), model), canExpand),
  };
};

/** Reports a parameter of §4.4 without a use. */
export const namesNoField = (name: string): string =>
  `the query parameter \`${name}\`, which names no field of the resource`;

/** The parts that are lists of names, as they were read. */
interface Selected {
  readonly sort: Names;
  readonly fields: Names;
  readonly expand: Names;
}

/** What of the document those parts do not say that the client writes. */
const notesOf = (
  names: Selected,
  sortNames: Names,
  written: readonly Part[],
  schemas: ReadonlyMap<Part, Json>,
  { queryParameters }: Operation,
  { query, repeated }: WholeFamily,
  hasField: (path: string) => boolean,
): readonly string[] => {
  const wireOf = (part: Part): string => query[part] ?? part;
  const selecting = (['sort', 'fields', 'expand'] as const).filter((part) => written.includes(part));
  const unused = selecting.filter((part) => [names[part] ?? []].flat().length === 0);
  const unknown = Array.isArray(sortNames) && names.sort !== undefined ? sortNames : [];
  // A list is joined with commas, which is `explode: false`, unless the family repeats the parameter.
  const exploded = selecting.filter((part) => {
    const isList = schemas.get(part)?.type === 'array' && !repeated.includes(part);
    return isList && queryParameters.get(wireOf(part))?.explode !== false;
  });
  const isSizeMissing =
    written.includes('page') && !written.includes('perPage') && query.perPage !== undefined;
  const missing = isSizeMissing ? [query.perPage] : [];
  return [
    ...exploded.map(wireOf).map((name) => `\`${name}=a&${name}=b\`: the client sends \`${name}=a,b\` (§4.4)`),
    ...unused.map((part) => namesNoField(wireOf(part))),
    ...unknown
      .filter((name) => !hasField(name))
      .map((name) => `\`sort\` by \`${name}\`, which is no field of the resource`),
    ...missing.map((name) => `\`${name}\`, which the document does not have: leave it out of queries`),
  ];
};

/** Whether a list sorts as its family does: beside a parameter for the direction, by fields alone. */
const canSort = (
  names: Names,
  { queryParameters }: Operation,
  { sortAs }: WholeFamily,
  hasField: (path: string) => boolean,
): boolean => {
  if (typeof sortAs === 'string') return true;
  return queryParameters.has(sortAs.direction) && (names === true || names?.every(hasField) === true);
};

/**
 * Reads the parts of the query of an operation: as options, with the names of the parameters that the client
 * then writes, and what of the document they do not say.
 */
export const readParts = (operation: Operation, resource: Schema, kind: Kind, model: Model) => {
  const { family } = model;
  const { query, sortAs, listParameters, pageRequired } = family;
  const schemas = schemasOf(operation, model);
  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const sortNames = namesIn(schemas.get('sort'), model);
  const pageParameter = pageParameterOf(family);
  const isPaged =
    pageParameter === undefined
      ? readWay(operation, model).leadsOn
      : operation.queryParameters.has(pageParameter) && schemas.get('page')?.const === undefined;
  const written = writtenBy(kind, isPaged).filter(
    (part) => schemas.has(part) && (part !== 'sort' || canSort(sortNames, operation, family, hasField)),
  );
  const isWritten = (part: Part): boolean => written.includes(part);
  const selection = readSelection(operation, resource, model);
  const names = {
    sort: isWritten('sort') ? declaredNames(knownIn(sortNames, hasField), resource, model) : undefined,
    fields: isWritten('fields') ? selection.fields : undefined,
    expand: isWritten('expand') ? selection.expand : undefined,
  };
  const size = schemas.get('perPage') ?? {};
  const paging = kind === 'list' && isPaged ? readPaging(size, operation, model) : undefined;
  const direction = typeof sortAs === 'object' && isWritten('sort') ? [sortAs.direction] : [];
  const ofEach = [...Object.keys(listParameters), ...(pageRequired ? [query.page ?? []].flat() : [])];
  const always = kind === 'list' ? ofEach : [];
  const paged = kind === 'list' && isPaged && pageParameter !== undefined ? [pageParameter] : [];
  return {
    options: { ...names, paging },
    written: [...new Set([...written.map((part) => query[part] ?? part), ...direction, ...paged, ...always])],
    notes: [
      ...notesOf(names, sortNames, written, schemas, operation, family, hasField),
      ...(kind === 'list' ? notesOfPages(isPaged, operation, model) : []),
    ],
  };
};
