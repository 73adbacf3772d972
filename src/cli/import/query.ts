import { descendingPrefix, header, queryParameters } from '../../conventions.ts';
import { follow, isCount, isObject, type Json, stringAt, stringsAt } from './json.ts';
import { Misfit, type Operation, type Parameter } from './operations.ts';
import type { Model } from './resources.ts';
import { type Schema, withoutNull } from './schema.ts';

/** Field paths that a parameter names; `true` is every one. */
export type Names = true | readonly string[];

/** What the query of a GET supports (§4.4). */
export interface Query {
  readonly sort: Names | undefined;
  readonly fields: Names | undefined;
  readonly expand: readonly string[] | undefined;
  /** Undefined where it does not page. */
  readonly paging: Readonly<Record<'maxPerPage' | 'defaultPerPage', number | undefined>> | undefined;
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

const unlessEmpty = (names: readonly string[]): readonly string[] | undefined =>
  names.length === 0 ? undefined : names;

/** The names that a parameter takes, `true` for any; undefined for one that is not a list as in §4.4. */
const namesOf = ({ schema, value }: Parameter, document: Json): Names | undefined => {
  const found = follow(document, schema)?.value;
  const { explode, style = 'form' } = value;
  const isList = found?.type === 'array' && explode === false && style === 'form';
  if (!isList && found?.type !== 'string') return undefined;
  const names = isList ? follow(document, found.items)?.value : found;
  return names?.enum === undefined ? true : stringsAt(names, 'enum');
};

/** An endpoint's own query parameter. `refused` says why the client cannot write it. */
export const readParameter = (parameter: Parameter, { reader, resources: { structureOf } }: Model) => {
  const { schema, value } = parameter;
  const { explode, style = 'form', content } = value;
  const description = stringAt(value, 'description');
  const given = reader.read(schema, 'body');
  const list = withoutNull(structureOf(given));
  // Each value of such a list would be a parameter of its own.
  const isRepeated = list.items !== undefined && explode !== false && style === 'form';
  const notes = [...(given.notes ?? [])];
  if (isRepeated)
    notes.push(
      'more than one value: the document repeats the parameter, and the client joins lists with commas',
    );
  const one = isRepeated && list.items !== undefined ? list.items : given;
  const hasType = (at: Schema, type: 'object' | 'array'): boolean => {
    const structure = structureOf(at);
    return (
      structure.type === type ||
      [...(structure.anyOf ?? []), ...(structure.allOf ?? [])].some((part) => hasType(part, type))
    );
  };
  const refuse = (): string | undefined => {
    if (isObject(content)) return `is written as ${Object.keys(content).join()}`;
    if (hasType(one, 'object')) return 'is an object';
    if (!hasType(one, 'array')) return undefined;
    if (explode !== false) return 'is repeated for each value; the client joins lists with commas';
    return style === 'form'
      ? undefined
      : `has the style ${JSON.stringify(style)}; the client joins lists with commas`;
  };
  const field: Schema = {
    ...one,
    ...(description !== undefined && { description }),
    ...(notes.length > 0 && { notes }),
  };
  return { field, refused: refuse() };
};

/** The schema of an object of parameters. */
export const parametersSchema = (
  fields: ReadonlyMap<string, Schema>,
  parameters: readonly Parameter[],
): Schema => ({
  type: 'object',
  properties: Object.fromEntries(fields),
  required: parameters.flatMap(({ name, isRequired }) => (isRequired && fields.has(name) ? [name] : [])),
});

const plain = (path: string): string => (path.startsWith(descendingPrefix) ? path.slice(1) : path);

/** The paths that a parameter names in both directions, because `sort` has both (§4.4). */
const sortable = (names: Names | undefined, note: (reason: string) => void): Names | undefined => {
  if (names === undefined || names === true) return names;
  const isBoth = (path: string): boolean => {
    if (names.includes(path) && names.includes(descendingPrefix + path)) return true;
    note(`\`sort\` by \`${path}\` is possible in one direction only`);
    return false;
  };
  return unlessEmpty([...new Set(names.map(plain))].filter(isBoth));
};

/**
 * Reads the parameters of an operation that returns a resource, or several.
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (
  { parameters, method }: Operation,
  resource: Schema = {},
  isList: boolean,
  model: Model,
  note: (reason: string) => void,
): Query => {
  const { document, resources } = model;
  const fields = new Map<string, Schema>();
  const named = new Map<string, Parameter>();

  const omit = ({ isRequired }: Parameter, reason: string): void => {
    if (isRequired) throw new Misfit(reason);
    note(reason);
  };

  const readOwn = (parameter: Parameter): void => {
    const what = `the query parameter \`${parameter.name}\``;
    const { field, refused } = readParameter(parameter, model);
    if (!isList) omit(parameter, `${what} of ${method}: only lists have query parameters of their own`);
    else if (refused !== undefined) omit(parameter, `${what} ${refused}`);
    else fields.set(parameter.name, field);
  };

  const ours: readonly string[] = isList ? queryParameters : ['fields', 'expand'];
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    if (place === 'cookie') omit(parameter, `the cookie \`${name}\` cannot be sent`);
    if (place === 'header' && !writtenFields.has(name.toLowerCase()))
      omit(parameter, `the header field \`${name}\`; pass it in \`headers\``);
    if (place !== 'query') continue;
    if (ours.includes(name)) named.set(name, parameter);
    else if (queryParameters.some((one) => one === name)) omit(parameter, `\`${name}\` is for lists (§4.4)`);
    else readOwn(parameter);
  }

  const listOf = (name: string, isKnown: (path: string) => boolean): Names | undefined => {
    const parameter = named.get(name);
    if (parameter === undefined) return undefined;
    const all = namesOf(parameter, document);
    if (all === undefined) omit(parameter, `\`${name}\` is not a list of names joined with commas (§4.4)`);
    if (all === undefined || all === true) return all;
    for (const other of all.filter((path) => !isKnown(path)))
      note(`\`${name}\` allows ${JSON.stringify(other)}, which is not a field of that kind`);
    return unlessEmpty(all.filter(isKnown));
  };

  const readExpand = (): readonly string[] | undefined => {
    const names = listOf('expand', (path) => resources.isExpandable(resource, path));
    if (names !== true) return names;
    const paths = resources.expandPaths(resource);
    if (paths.length === 0) note('`expand` names no nested resource that has `id` and `self`');
    return unlessEmpty(paths);
  };

  const readPaging = (): Query['paging'] => {
    const [page, perPage] = [named.get('page'), named.get('perPage')];
    if (page && perPage) {
      const { maximum, default: usual } = follow(document, perPage.schema)?.value ?? {};
      return {
        maxPerPage: isCount(maximum) ? maximum : undefined,
        defaultPerPage: isCount(usual) ? usual : undefined,
      };
    }
    if (page) omit(page, '`page` needs `perPage` beside it (§4.4)');
    if (perPage) omit(perPage, '`perPage` needs `page` beside it (§4.4)');
    return undefined;
  };

  const hasField = (path: string): boolean => resources.fieldsAlong(resource, path) !== undefined;
  return {
    sort: sortable(
      listOf('sort', (path) => hasField(plain(path))),
      note,
    ),
    expand: readExpand(),
    paging: readPaging(),
    fields: listOf('fields', hasField),
    params: fields.size > 0 ? parametersSchema(fields, parameters) : undefined,
  };
};
