import { descendingPrefix, header, paginationHeader, queryParameters } from '../../conventions.ts';
import { isCount, isObject } from '../../options.ts';
import { follow, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation, type Parameter } from './operations.ts';
import { partsOf, type Schema, withoutNull } from './schema.ts';

/** Field paths that a parameter names; `true` is every one. */
export type Names = true | readonly string[];

/** What the query of a GET supports (§4.4). */
export interface Query {
  readonly sort: Names | undefined;
  readonly fields: Names | undefined;
  readonly expand: Names | undefined;
  /** Undefined where it does not page; without totals where its response has links to other pages alone (§4.5.1). */
  readonly paging: true | Readonly<Record<string, number | false>> | undefined;
  readonly params: Schema | undefined;
}

/** Header fields that the client writes by itself. */
export const writtenFields: readonly string[] = [
  ...[header.accept, header.authorization, header.contentType],
  ...[header.ifModifiedSince, header.ifNoneMatch, header.modifiedSince],
];

/** The names that a parameter takes, `true` for any; undefined for one that is not a list as in §4.4. */
const namesOf = ({ value }: Parameter, { document }: Model): Names | undefined => {
  const found = follow(document, value.schema)?.value;
  const { explode, style = 'form' } = value;
  const isList = found?.type === 'array' && explode === false && style === 'form';
  if (!isList && found?.type !== 'string') return undefined;
  const names = isList ? follow(document, found.items)?.value : found;
  return names?.enum === undefined ? true : stringsAt(names, 'enum');
};

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ({ value }: Parameter, { read, structureOf }: Model): Schema | undefined => {
  const isJoined = value.explode === false && (value.style ?? 'form') === 'form';
  const isRepeated = value.explode !== false && (value.style ?? 'form') === 'form';
  const given = read(value.schema, 'body');
  const { items } = withoutNull(structureOf(given));
  // The client joins lists with commas, so one that repeats the parameter has one value.
  const one = isRepeated && items !== undefined ? items : given;
  const isWritten = (at: Schema): boolean => {
    const structure = structureOf(at);
    if (structure.type === 'array') return isJoined;
    return structure.type !== 'object' && partsOf(structure).every(isWritten);
  };
  const description = stringAt(value, 'description');
  if (isObject(value.content) || !isWritten(one)) return undefined;
  return { ...one, ...(description !== undefined && { description }) };
};

/** The object of an endpoint's own query parameters; undefined when there are none. `omit` gets what is not in it. */
export const readParameters = (
  parameters: readonly Parameter[],
  model: Model,
  omit: (parameter: Parameter) => void,
): Schema | undefined => {
  const read = parameters.map((one) => ({ one, field: readParameter(one, model) }));
  for (const { one, field } of read) if (field === undefined) omit(one);
  const written = read.flatMap(({ one, field }) => (field === undefined ? [] : [{ ...one, field }]));
  if (written.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(written.map(({ name, field }) => [name, field])),
    required: written.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
};

/**
 * Reads the parameters of an operation that returns a resource, or several.
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (
  { parameters, responses }: Operation,
  resource: Schema = {},
  isList: boolean,
  model: Model,
  note: (reason: string) => void,
): Query => {
  const omit = ({ name, in: place, isRequired }: Parameter): void => {
    const reason = `the ${place} parameter \`${name}\``;
    if (isRequired) throw new Misfit(`it needs ${reason}, which a collection does not write`);
    note(reason);
  };
  const inQuery = parameters.filter((one) => one.in === 'query');
  const ours: readonly string[] = isList ? queryParameters : ['fields', 'expand'];
  const own = inQuery.filter(({ name }) => !queryParameters.some((one) => one === name));
  const named = new Map(inQuery.flatMap((one) => (ours.includes(one.name) ? [[one.name, one]] : [])));
  for (const one of parameters) {
    const isWritten =
      one.in === 'path' || (one.in === 'header' && writtenFields.includes(one.name.toLowerCase()));
    if (!isWritten && !named.has(one.name) && !(isList && own.includes(one))) omit(one);
  }

  /** The names that a parameter takes and the resource knows; undefined when there are none. */
  const listOf = (name: string, isKnown: (path: string, all: readonly string[]) => boolean) => {
    const parameter = named.get(name);
    const all = parameter && namesOf(parameter, model);
    if (parameter !== undefined && all === undefined) omit(parameter);
    if (all === undefined || all === true) return all;
    const plain = [...new Set(all.map((path) => path.replace(new RegExp(`^${descendingPrefix}`), '')))];
    const known = plain.filter((path) => isKnown(path, all));
    for (const path of plain) if (!known.includes(path)) note(`\`${name}\` by ${JSON.stringify(path)}`);
    return known.length === 0 ? undefined : known;
  };

  const readPaging = (): Query['paging'] => {
    const [page, perPage] = [named.get('page'), named.get('perPage')];
    if (page === undefined || perPage === undefined) {
      for (const one of [page, perPage]) if (one !== undefined) omit(one);
      return undefined;
    }
    const { maximum, default: usual } = follow(model.document, perPage.value.schema)?.value ?? {};
    const hasHeader = (name: string): boolean => responses.some(({ headers }) => headers.includes(name));
    const limits = {
      ...(isCount(maximum) && { maxPerPage: maximum }),
      ...(isCount(usual) && { defaultPerPage: usual }),
      ...(hasHeader(header.link) && !hasHeader(paginationHeader.totalCount) && { totals: false as const }),
    };
    return Object.keys(limits).length > 0 ? limits : true;
  };

  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const expand = listOf('expand', (path) => model.allowExpand(resource, path));
  return {
    sort: listOf(
      'sort',
      (path, all) => hasField(path) && [path, descendingPrefix + path].every((one) => all.includes(one)),
    ),
    expand: expand === true ? model.expandableFields(resource) : expand,
    paging: readPaging(),
    fields: listOf('fields', hasField),
    params: isList ? readParameters(own, model, omit) : undefined,
  };
};
