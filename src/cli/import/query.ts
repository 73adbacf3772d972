import { descendingPrefix, header, pathSeparator, queryParameters } from '../../conventions.ts';
import { isCount, isObject, type Json, limits, stringAt, stringsAt } from './json.ts';
import { below, type Field, fieldsAlong, type Node, ownFields, structureOf } from './node.ts';
import type { Operation, Parameter } from './operations.ts';
import type { References } from './references.ts';
import type { Schemas } from './schemas.ts';

/** Field paths that a parameter names; `true` is every one. */
export type Names = true | readonly string[];

/** What the query of a GET supports (§4.4). */
export interface Query {
  readonly sort: Names | undefined;
  readonly fields: Names | undefined;
  readonly expand: readonly string[] | undefined;
  /** Undefined where it does not page. */
  readonly paging: { readonly maxPerPage?: number; readonly defaultPerPage?: number } | undefined;
  /** The endpoint's own parameters. */
  readonly params: ReadonlyMap<string, Field>;
  /** What of the document is not declared, and why. */
  readonly notes: readonly string[];
  /** Why no request can be sent as the document asks for. */
  readonly refusal: string | undefined;
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
 * The paths of the nested resources that a resource may expand, without those behind another expansion; undefined when
 * there are too many fields: their paths double with each resource that is part of another one twice.
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

/** The names that a parameter takes, `true` for any; undefined for one that is no list of §4.4. */
const namesOf = (parameter: Parameter, references: References): Names | undefined => {
  const schema = references.follow(parameter.schema, parameter.base)?.value ?? {};
  if (schema.type === 'string') return schema.enum === undefined ? true : stringsAt(schema, 'enum');
  const { explode, style } = parameter.value;
  if (schema.type !== 'array' || explode !== false || (style !== undefined && style !== 'form'))
    return undefined;
  const items = references.follow(schema.items, parameter.base)?.value ?? {};
  return items.enum === undefined ? true : stringsAt(items, 'enum');
};

const paging = (parameters: ReadonlyMap<string, Parameter>, references: References): Query['paging'] => {
  const perPage = parameters.get('perPage');
  if (perPage === undefined || !parameters.has('page')) return undefined;
  const schema: Json = references.follow(perPage.schema, perPage.base)?.value ?? {};
  return {
    ...(isCount(schema.maximum) && { maxPerPage: schema.maximum }),
    ...(isCount(schema.default) && { defaultPerPage: schema.default }),
  };
};

const hasKind = (node: Node, kinds: readonly Node['kind'][]): boolean => {
  const structure = structureOf(node);
  if (structure.kind === 'nullable') return hasKind(structure.of, kinds);
  if (structure.kind === 'union') return structure.options.some((option) => hasKind(option, kinds));
  if (structure.kind === 'intersection')
    return hasKind(structure.left, kinds) || hasKind(structure.right, kinds);
  return kinds.includes(structure.kind);
};

/** Why the client cannot write a query parameter in the document's style; undefined when it can. */
const refuseStyle = ({ value }: Parameter, node: Node): string | undefined => {
  const { explode, style = 'form', content } = value;
  if (isObject(content)) return `is written as ${Object.keys(content).join()}`;
  if (hasKind(node, ['object', 'record'])) return 'is an object';
  if (!hasKind(node, ['array', 'tuple'])) return undefined;
  if (explode !== false) return 'is repeated for each value; lists are joined with commas';
  return style === 'form'
    ? undefined
    : `has the style ${JSON.stringify(style)}; lists are joined with commas`;
};

/** Reads a query parameter of an endpoint's own; `refused` says why the client cannot write it. */
export const readParameter = (parameter: Parameter, schemas: Schemas) => {
  const { schema, base, value, isRequired } = parameter;
  const notes: string[] = [];
  const node = schemas.read(schema, { base, direction: 'body', note: (reason) => notes.push(reason) });
  const field: Field = { node, isOptional: !isRequired, description: stringAt(value, 'description'), notes };
  return { field, refused: refuseStyle(parameter, node) };
};

/**
 * Reads the parameters of an operation that returns a resource, or several.
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 */
export const readQuery = (
  { parameters, method }: Operation,
  resource: Node,
  isList: boolean,
  references: References,
  schemas: Schemas,
): Query => {
  const notes: string[] = [];
  const params = new Map<string, Field>();
  const named = new Map<string, Parameter>();
  let refusal: string | undefined;

  const omit = (parameter: Parameter, reason: string): void => {
    if (parameter.isRequired) refusal ??= reason;
    else notes.push(reason);
  };

  const readOwn = (parameter: Parameter): void => {
    const what = `the query parameter \`${parameter.name}\``;
    const { field, refused } = readParameter(parameter, schemas);
    if (!isList) omit(parameter, `${what} of ${method} has no counterpart`);
    else if (refused !== undefined) omit(parameter, `${what} ${refused}`);
    else params.set(parameter.name, field);
  };

  const isOurs = (name: string): boolean =>
    (isList ? queryParameters : ['fields', 'expand']).some((one) => one === name);
  for (const parameter of parameters) {
    const { name } = parameter;
    if (parameter.in === 'query') {
      if (isOurs(name)) named.set(name, parameter);
      else if (queryParameters.some((one) => one === name))
        omit(parameter, `\`${name}\` is for lists (§4.4)`);
      else readOwn(parameter);
    } else if (parameter.in === 'cookie') {
      omit(parameter, `the cookie \`${name}\` cannot be sent`);
    } else if (parameter.in === 'header' && !writtenFields.has(name.toLowerCase())) {
      omit(parameter, `the header field \`${name}\`; pass it in \`headers\``);
    }
  }

  const listOf = (name: string, is: (path: string) => boolean): Names | undefined => {
    const parameter = named.get(name);
    if (parameter === undefined) return undefined;
    const all = namesOf(parameter, references);
    if (all === undefined)
      omit(parameter, `\`${name}\` is no list of names that are joined with commas (§4.4)`);
    if (all === undefined || all === true) return all;
    const known = all.filter(is);
    for (const other of all) {
      if (!is(other))
        notes.push(`\`${name}\` allows ${JSON.stringify(other)}, which is not a field of that kind`);
    }
    return unlessEmpty(known);
  };

  const plain = (path: string): string => (path.startsWith(descendingPrefix) ? path.slice(1) : path);
  const hasField = (path: string): boolean => fieldsAlong(resource, path) !== undefined;
  const directed = listOf('sort', (path) => hasField(plain(path)));
  const sort: Names | undefined =
    directed === undefined || directed === true
      ? directed
      : unlessEmpty(
          [...new Set(directed.map(plain))].filter((path) => {
            const isBoth = directed.includes(path) && directed.includes(descendingPrefix + path);
            if (!isBoth) notes.push(`\`sort\` by \`${path}\` is possible in one direction only`);
            return isBoth;
          }),
        );
  const isExpandable = (path: string): boolean => {
    const field = fieldsAlong(resource, path)?.at(-1);
    return field !== undefined && below(field.node).kind === 'expandable';
  };
  const expand = listOf('expand', isExpandable);
  const expanded = expand === true ? expandPaths(resource) : expand;
  if (expand === true && expanded === undefined)
    notes.push('`expand`, because the resource has too many fields to list those that it may name');
  if (expand === true && expanded?.length === 0)
    notes.push('`expand` names no nested resource that has `id` and `self`');
  for (const name of ['page', 'perPage']) {
    const parameter = named.get(name);
    if (parameter !== undefined && paging(named, references) === undefined)
      omit(parameter, `\`${name}\` needs ${name === 'page' ? '`perPage`' : '`page`'} beside it (§4.4)`);
  }
  return {
    sort,
    fields: listOf('fields', hasField),
    expand: unlessEmpty(expanded ?? []),
    paging: paging(named, references),
    params,
    notes,
    refusal,
  };
};
