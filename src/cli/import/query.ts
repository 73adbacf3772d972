import { descendingPrefix, header, pathSeparator, queryParameters } from '../../conventions.ts';
import { isCount, isObject, limits, stringAt, stringsAt } from './json.ts';
import { below, type Field, fieldsAlong, type Node, ownFields, structureOf, unknown } from './node.ts';
import { Misfit, type Operation, type Parameter } from './operations.ts';
import type { References } from './references.ts';
import type { Reader } from './schemas.ts';

/** Field paths that a parameter names; `true` is every one. */
export type Names = true | readonly string[];

/** What the query of a GET supports (§4.4). */
export interface Query {
  readonly sort: Names | undefined;
  readonly fields: Names | undefined;
  readonly expand: readonly string[] | undefined;
  /** Undefined where it does not page. */
  readonly paging: Readonly<Record<'maxPerPage' | 'defaultPerPage', number | undefined>> | undefined;
  readonly params: Node | undefined;
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

/**
 * The paths of the nested resources that a resource may expand, without those behind another expansion. Undefined when there
 * are too many fields: the number of paths doubles with each resource that another one contains twice.
 */
const expandPaths = (resource: Node): readonly string[] | undefined => {
  const paths: string[] = [];
  let count = 0;
  const visit = (node: Node, prefix: string, around: ReadonlySet<Node>): void => {
    const structure = below(node);
    if (structure.kind !== 'object' || around.has(structure)) return;
    const inside = new Set([...around, structure]);
    for (const [name, field] of ownFields(structure)) {
      count += 1;
      if (count > limits.fields) return;
      if (below(field.node).kind === 'expandable') paths.push(prefix + name);
      else visit(field.node, `${prefix}${name}${pathSeparator}`, inside);
    }
  };
  visit(resource, '', new Set());
  return count > limits.fields ? undefined : paths;
};

const unlessEmpty = (names: readonly string[]): readonly string[] | undefined =>
  names.length === 0 ? undefined : names;

/** The names that a parameter takes, `true` for any; undefined for one that is not a list as in §4.4. */
const namesOf = (parameter: Parameter, references: References): Names | undefined => {
  const located = references.follow(parameter.schema, parameter.base);
  const { explode, style = 'form' } = parameter.value;
  const isList = located?.value.type === 'array' && explode === false && style === 'form';
  if (!isList && located?.value.type !== 'string') return undefined;
  const names = isList ? references.follow(located.value.items, located.base) : located;
  return names?.value.enum === undefined ? true : stringsAt(names.value, 'enum');
};

const hasKind = (node: Node, kinds: readonly Node['kind'][]): boolean => {
  const structure = structureOf(node);
  const isTransparent = ['nullable', 'union', 'intersection'].includes(structure.kind);
  return isTransparent && 'parts' in structure
    ? structure.parts.some((part) => hasKind(part, kinds))
    : kinds.includes(structure.kind);
};

/** Why the client cannot write a query parameter in the document's style; undefined when it can. */
const refuseStyle = ({ value }: Parameter, node: Node): string | undefined => {
  const { explode, style = 'form', content } = value;
  if (isObject(content)) return `is written as ${Object.keys(content).join()}`;
  if (hasKind(node, ['object', 'record'])) return 'is an object';
  if (!hasKind(node, ['array', 'tuple'])) return undefined;
  if (explode !== false) return 'is repeated for each value; the client joins lists with commas';
  return style === 'form'
    ? undefined
    : `has the style ${JSON.stringify(style)}; the client joins lists with commas`;
};

/** The schema of one value of a parameter that the document repeats for each value; undefined for any other parameter. */
const repeatedPart = ({ value: { explode, style = 'form' } }: Parameter, node: Node): Node | undefined => {
  const structure = structureOf(node);
  const list = structure.kind === 'nullable' ? structureOf(structure.parts[0]) : structure;
  return list.kind === 'array' && explode !== false && style === 'form' ? list.parts[0] : undefined;
};

/** Reads one of an endpoint's own query parameters. `refused` says why the client cannot write it. */
export const readParameter = (parameter: Parameter, reader: Reader) => {
  const { schema, base, value, isRequired } = parameter;
  const notes: string[] = [];
  const given = reader.read(schema, { base, direction: 'body', note: (reason) => notes.push(reason) });
  const one = repeatedPart(parameter, given);
  if (one !== undefined)
    notes.push(
      'more than one value: the document repeats the parameter, and the client joins lists with commas',
    );
  const node = one ?? given;
  const field: Field = { node, isOptional: !isRequired, description: stringAt(value, 'description'), notes };
  return { field, refused: refuseStyle(parameter, node) };
};

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

const plain = (path: string): string => (path.startsWith(descendingPrefix) ? path.slice(1) : path);

/**
 * Reads the parameters of an operation that returns a resource, or several.
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (
  { parameters, method }: Operation,
  resource: Node = unknown,
  isList: boolean,
  reader: Reader,
  note: (reason: string) => void,
): Query => {
  const fields = new Map<string, Field>();
  const named = new Map<string, Parameter>();

  const omit = ({ isRequired }: Parameter, reason: string): void => {
    if (isRequired) throw new Misfit(reason);
    note(reason);
  };

  const readOwn = (parameter: Parameter): void => {
    const what = `the query parameter \`${parameter.name}\``;
    const { field, refused } = readParameter(parameter, reader);
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
    const all = namesOf(parameter, reader.references);
    if (all === undefined) omit(parameter, `\`${name}\` is not a list of names joined with commas (§4.4)`);
    if (all === undefined || all === true) return all;
    for (const other of all.filter((path) => !isKnown(path)))
      note(`\`${name}\` allows ${JSON.stringify(other)}, which is not a field of that kind`);
    return unlessEmpty(all.filter(isKnown));
  };

  const readExpand = (): readonly string[] | undefined => {
    const names = listOf('expand', (path) => {
      const field = fieldsAlong(resource, path)?.at(-1);
      return field !== undefined && below(field.node).kind === 'expandable';
    });
    if (names !== true) return names;
    const paths = expandPaths(resource);
    if (paths === undefined)
      note('`expand`, because the resource has too many fields to list those that it may name');
    if (paths?.length === 0) note('`expand` names no nested resource that has `id` and `self`');
    return unlessEmpty(paths ?? []);
  };

  const readPaging = (): Query['paging'] => {
    const [page, perPage] = [named.get('page'), named.get('perPage')];
    if (page && perPage) {
      const { maximum, default: usual } = reader.references.follow(perPage.schema, perPage.base)?.value ?? {};
      return {
        maxPerPage: isCount(maximum) ? maximum : undefined,
        defaultPerPage: isCount(usual) ? usual : undefined,
      };
    }
    if (page) omit(page, '`page` needs `perPage` beside it (§4.4)');
    if (perPage) omit(perPage, '`perPage` needs `page` beside it (§4.4)');
    return undefined;
  };

  const hasField = (path: string): boolean => fieldsAlong(resource, path) !== undefined;
  return {
    sort: sortable(
      listOf('sort', (path) => hasField(plain(path))),
      note,
    ),
    expand: readExpand(),
    paging: readPaging(),
    fields: listOf('fields', hasField),
    params: fields.size > 0 ? { kind: 'object', isResource: false, fields, rest: undefined } : undefined,
  };
};
