import { descendingPrefix, header, paginationHeader, queryParameters } from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { type Json, stringsAt, targetOf } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation, type Parameter } from './operations.ts';
import { partsOf, type Schema, withoutNull } from './schema.ts';

/** Field paths that a parameter names; `true` is every one. */
export type Names = true | readonly string[];

/** Whether the values of a list are joined with commas, which the client writes, or each repeat the parameter. */
const styleOf = ({ explode = true, style = 'form' }: Json): 'joined' | 'repeated' | 'other' =>
  style !== 'form' ? 'other' : explode === false ? 'joined' : 'repeated';

/** The names that a parameter takes, `true` for any; undefined for one that is not a list as in §4.4. */
const namesOf = ({ value }: Parameter, { document }: Model): Names | undefined => {
  const found = targetOf(document, value.schema);
  const isList = found.type === 'array' && styleOf(value) === 'joined';
  if (!isList && found.type !== 'string') return undefined;
  const names = isList ? targetOf(document, found.items) : found;
  return names.enum === undefined ? true : stringsAt(names, 'enum');
};

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ({ value }: Parameter, { read, structureOf }: Model): Schema | undefined => {
  const style = styleOf(value);
  const given = read(value.schema, 'body');
  const { items = given } = withoutNull(structureOf(given));
  // A list that repeats the parameter has one value.
  const one = style === 'repeated' ? items : given;
  const isWritten = (schema: Schema): boolean => {
    const structure = structureOf(schema);
    if (structure.type === 'array') return style === 'joined';
    return structure.type !== 'object' && partsOf(structure).every(isWritten);
  };
  return value.content === undefined && isWritten(one) ? one : undefined;
};

/** The object of an endpoint's own query parameters; undefined when there are none. `omit` gets what is not in it. */
export const readParameters = (
  parameters: readonly Parameter[],
  model: Model,
  omit: (parameter: Parameter) => void,
): Schema | undefined => {
  const written = parameters.flatMap((one) => {
    const field = readParameter(one, model);
    if (field === undefined) omit(one);
    return field === undefined ? [] : [{ ...one, field }];
  });
  if (written.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(written.map(({ name, field }) => [name, field])),
    required: written.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  };
};

/**
 * Reads what the query of an operation supports that returns a resource, or several (§4.4).
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (
  operation: Operation,
  resource: Schema,
  isList: boolean,
  model: Model,
  note: (reason: string) => void,
) => {
  const omit = ({ name, in: place, isRequired }: Parameter): void => {
    const reason = `the ${place} parameter \`${name}\``;
    if (isRequired) throw new Misfit(`it needs ${reason}, which a collection does not write`);
    note(reason);
  };
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const ours: readonly string[] = isList ? queryParameters : ['fields', 'expand'];
  const own = inQuery.filter(({ name }) => !ours.includes(name));
  const params = isList ? readParameters(own, model, omit) : undefined;
  const others = operation.parameters.filter((one) => one.in === 'cookie');
  for (const one of [...(isList ? [] : own), ...others]) omit(one);
  const named = (name: string) => inQuery.find((one) => one.name === name && ours.includes(name));

  /** The names that a parameter takes and the resource knows; undefined when there are none. */
  const listOf = (name: string, isKnown: (path: string, all: readonly string[]) => boolean) => {
    const parameter = named(name);
    const all = parameter && namesOf(parameter, model);
    if (parameter !== undefined && all === undefined) omit(parameter);
    if (all === undefined || all === true) return all;
    const paths = [...new Set(all.map((path) => path.replace(new RegExp(`^${descendingPrefix}`), '')))];
    const known = paths.filter((path) => isKnown(path, all));
    for (const path of paths) if (!known.includes(path)) note(`\`${name}\` by ${JSON.stringify(path)}`);
    return known.length === 0 ? undefined : known;
  };

  const readPaging = () => {
    const [page, perPage] = [named('page'), named('perPage')];
    if (page === undefined || perPage === undefined) {
      for (const one of [page, perPage]) if (one !== undefined) omit(one);
      return undefined;
    }
    const { maximum, default: usual } = targetOf(model.document, perPage.value.schema);
    const headers = operation.responses.flatMap((response) => response.headers);
    const hasTotals = headers.includes(paginationHeader.totalCount) || !headers.includes(header.link);
    const limits = {
      ...(isCount(maximum) && { maxPerPage: maximum }),
      ...(isCount(usual) && { defaultPerPage: usual }),
      ...(!hasTotals && { totals: false }),
    };
    return Object.keys(limits).length > 0 ? limits : true;
  };

  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const expand = listOf('expand', (path) => model.allowExpand(resource, path));
  return {
    sort: listOf('sort', (path, all) => hasField(path) && all.includes(path) && all.includes(`-${path}`)),
    fields: listOf('fields', hasField),
    expand: expand === true ? model.expandableFields(resource) : expand,
    paging: readPaging(),
    params,
  };
};
