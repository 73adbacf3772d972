import { descendingPrefix, header, paginationHeader, queryParameters } from '../../conventions.ts';
import { isCount } from '../../options.ts';
import { stringsAt, targetOf } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation, type Parameter } from './operations.ts';
import { type Schema, withoutNull } from './schema.ts';

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ({ value }: Parameter, { read, structureOf }: Model): Schema | undefined => {
  const { style = 'form', explode = true, content } = value;
  const schema = read(value.schema, 'body');
  const { type, items } = withoutNull(structureOf(schema));
  if (style !== 'form' || content !== undefined || type === 'object') return undefined;
  // The client joins a list with commas. One that repeats the parameter has one value.
  return explode === false ? schema : (items ?? schema);
};

/** The object of an endpoint's own query parameters; undefined when there are none. `omit` gets what is not in it. */
export const readParameters = (
  parameters: readonly Parameter[],
  model: Model,
  omit: (parameter: Parameter) => void,
): Schema | undefined => {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const one of parameters) {
    const field = readParameter(one, model);
    if (field === undefined) omit(one);
    else {
      properties[one.name] = field;
      if (one.isRequired) required.push(one.name);
    }
  }
  return Object.keys(properties).length > 0 ? { type: 'object', properties, required } : undefined;
};

/**
 * Reads what the query of an operation supports that returns a resource, or several (§4.4).
 *
 * @param isList - a list has all parameters of §4.4 and its own ones; one resource has `fields` and `expand`
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (
  { parameters, responses }: Operation,
  resource: Schema,
  isList: boolean,
  model: Model,
  note: (reason: string) => void,
) => {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const own = inQuery.filter(({ name }) => !queryParameters.some((one) => one === name));
  const omit = ({ name, isRequired }: Parameter): void => {
    const parameter = `the query parameter \`${name}\``;
    if (isRequired) throw new Misfit(`it needs ${parameter}, which a collection does not write`);
    note(parameter);
  };
  const params = isList ? readParameters(own, model, omit) : undefined;
  if (!isList) own.forEach(omit);

  const schemaOf = (name: string) => {
    const parameter = inQuery.find((one) => one.name === name);
    return parameter && targetOf(model.document, parameter.value.schema);
  };

  /** The fields that a parameter names, without those that the resource lacks; `true` for all. */
  const namesOf = (
    name: string,
    isKnown: (path: string) => boolean,
  ): true | readonly string[] | undefined => {
    const schema = schemaOf(name);
    if (schema === undefined) return undefined;
    const names = schema.type === 'array' ? targetOf(model.document, schema.items) : schema;
    if (names.enum === undefined) return true;
    const paths = stringsAt(names, 'enum').map((path) =>
      path.replace(new RegExp(`^${descendingPrefix}`), ''),
    );
    const known = [...new Set(paths)].filter(isKnown);
    return known.length > 0 ? known : undefined;
  };

  const readPaging = () => {
    const perPage = schemaOf('perPage');
    if (schemaOf('page') === undefined || perPage === undefined) return undefined;
    const { maximum, default: usual } = perPage;
    const headers = responses.flatMap((response) => response.headers);
    const hasTotals = headers.includes(paginationHeader.totalCount) || !headers.includes(header.link);
    const limits = {
      ...(isCount(maximum) && { maxPerPage: maximum }),
      ...(isCount(usual) && { defaultPerPage: usual }),
      ...(!hasTotals && { totals: false }),
    };
    return Object.keys(limits).length > 0 ? limits : true;
  };

  const hasField = (path: string): boolean => model.fieldsAlong(resource, path) !== undefined;
  const expand = namesOf('expand', (path) => model.allowExpand(resource, path));
  return {
    sort: namesOf('sort', hasField),
    fields: namesOf('fields', hasField),
    expand: expand === true ? model.expandableFields(resource) : expand,
    paging: readPaging(),
    params,
  };
};
