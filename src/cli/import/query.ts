import { descendingPrefix, header, paginationHeader, queryParameters } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { follow, isCount, stringAt, stringsAt } from './json.ts';
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
const writtenFields: ReadonlySet<string> = new Set([
  header.accept,
  header.authorization,
  header.contentType,
  header.ifModifiedSince,
  header.ifNoneMatch,
  header.modifiedSince,
]);

/** The names that a parameter takes, `true` for any; undefined for one that is not a list as in §4.4. */
const namesOf = ({ schema, value }: Parameter, { document }: Model): Names | undefined => {
  const found = follow(document, schema)?.value;
  const { explode, style = 'form' } = value;
  const isList = found?.type === 'array' && explode === false && style === 'form';
  if (!isList && found?.type !== 'string') return undefined;
  const names = isList ? follow(document, found.items)?.value : found;
  return names?.enum === undefined ? true : stringsAt(names, 'enum');
};

/** An endpoint's own query parameter; undefined for one that the client does not write. */
export const readParameter = (
  { schema, value }: Parameter,
  { read, structureOf }: Model,
): Schema | undefined => {
  const { explode, style = 'form', content } = value;
  const description = stringAt(value, 'description');
  const given = read(schema, 'body');
  const { items } = withoutNull(structureOf(given));
  // Each value of such a list would be a parameter of its own.
  const isRepeated = items !== undefined && explode !== false && style === 'form';
  const one = isRepeated ? items : given;
  const isJoined = explode === false && style === 'form';
  const isWritten = (at: Schema): boolean => {
    const structure = structureOf(at);
    if (structure.type === 'array') return isJoined;
    return structure.type !== 'object' && partsOf(structure).every(isWritten);
  };
  if (isObject(content) || !isWritten(one)) return undefined;
  const repeated = isRepeated ? ['more than one value, because the client joins lists with commas'] : [];
  const notes = [...(given.notes ?? []), ...repeated];
  return { ...one, ...(description !== undefined && { description }), ...(notes.length > 0 && { notes }) };
};

/** The schema of an object of parameters; undefined when there are none. */
export const parametersSchema = (
  fields: ReadonlyMap<string, Schema>,
  parameters: readonly Parameter[],
): Schema | undefined => {
  const required = parameters.flatMap(({ name, isRequired }) =>
    isRequired && fields.has(name) ? [name] : [],
  );
  return fields.size === 0 ? undefined : { type: 'object', properties: Object.fromEntries(fields), required };
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
  const own = new Map<string, Schema>();
  const named = new Map<string, Parameter>();

  const omit = ({ name, in: place, isRequired }: Parameter): void => {
    const reason = `the ${place} parameter \`${name}\``;
    if (isRequired) throw new Misfit(`it needs ${reason}, which a collection does not write`);
    note(reason);
  };

  const ours: readonly string[] = isList ? queryParameters : ['fields', 'expand'];
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    if (place === 'path' || (place === 'header' && writtenFields.has(name.toLowerCase()))) continue;
    const isConventional = place === 'query' && queryParameters.some((one) => one === name);
    const isOwn = place === 'query' && isList && !isConventional;
    const field = isOwn ? readParameter(parameter, model) : undefined;
    if (isConventional && ours.includes(name)) named.set(name, parameter);
    else if (field === undefined) omit(parameter);
    else own.set(name, field);
  }

  /** The names that a parameter takes and the resource knows; undefined when there are none. */
  const listOf = (name: string, isKnown: (path: string, all: readonly string[]) => boolean) => {
    const parameter = named.get(name);
    const all = parameter && namesOf(parameter, model);
    if (parameter !== undefined && all === undefined) omit(parameter);
    if (all === undefined || all === true) return all;
    const plain = new Set(all.map((path) => path.replace(new RegExp(`^${descendingPrefix}`), '')));
    const known = [...plain].filter((path) => isKnown(path, all));
    for (const path of plain) if (!known.includes(path)) note(`\`${name}\` by ${JSON.stringify(path)}`);
    return known.length === 0 ? undefined : known;
  };

  const readPaging = (): Query['paging'] => {
    const [page, perPage] = [named.get('page'), named.get('perPage')];
    if (page === undefined || perPage === undefined) {
      for (const one of [page, perPage]) if (one !== undefined) omit(one);
      return undefined;
    }
    const { maximum, default: usual } = follow(model.document, perPage.schema)?.value ?? {};
    const hasHeader = (name: string): boolean => responses.some(({ headers }) => headers.includes(name));
    const limits = {
      ...(isCount(maximum) && { maxPerPage: maximum }),
      ...(isCount(usual) && { defaultPerPage: usual }),
      ...(hasHeader(header.link) && !hasHeader(paginationHeader.totalCount) && { totals: false as const }),
    };
    return Object.keys(limits).length > 0 ? limits : true;
  };

  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const hasBoth = (path: string, all: readonly string[]): boolean =>
    hasField(path) && all.includes(path) && all.includes(descendingPrefix + path);
  const sort = listOf('sort', hasBoth);
  const expand = listOf('expand', (path) => model.isExpandable(resource, path));
  return {
    sort,
    expand: expand === true ? model.expandPaths(resource) : expand,
    paging: readPaging(),
    fields: listOf('fields', hasField),
    params: parametersSchema(own, parameters),
  };
};
