import type { Collection } from '../index.ts';
import type { JsonSchema, ParameterObject } from './document.ts';
import { convertParameters } from './schemas.ts';

export const inPath = (name: string, schema: JsonSchema): ParameterObject => {
  return { name, in: 'path', required: true, schema };
};

/**
 * Writes the query parameters of a collection (§4.4): those of its list, or those of one resource.
 *
 * @param plainLists - writes lists as strings that are joined with commas
 */
export const queryParameters = (
  { options: { sort, fields, expand, paging, params, repeated = [] } }: Collection,
  isList: boolean,
  plainLists = false,
): readonly ParameterObject[] => {
  const inQuery = (name: string, description: string, schema: JsonSchema): ParameterObject => {
    const start = { name, in: 'query', description } as const;
    // Every tool repeats a parameter, which is what OpenAPI means by default.
    if (repeated.includes(name)) return { ...start, style: 'form', explode: true, schema };
    if (schema.type !== 'array') return { ...start, schema };
    if (!plainLists) return { ...start, style: 'form', explode: false, schema };
    return { ...start, description: `${description} Joined with commas.`, schema: { type: 'string' } };
  };

  /** `true` allows every field path, without a list: a resource that contains itself has paths of any length. */
  const names = (name: string, description: string, of: true | readonly string[] = []) => {
    if (of !== true && of.length === 0) return [];
    const items = { type: 'string', ...(of !== true && { enum: of }) };
    const which = of === true || !plainLists ? '' : ` One of \`${of.join('`, `')}\`.`;
    return [inQuery(name, description + which, { type: 'array', items })];
  };

  const ofOne = [
    ...names('fields', 'The fields to return besides `id` and `self` (§4.4).', fields),
    ...names('expand', 'The nested resources to return in full (§4.4).', expand),
  ];
  if (!isList) return ofOne;
  const sortable = sort === true ? true : sort?.flatMap((name) => [name, `-${name}`]);
  const { maxPerPage, defaultPerPage } = typeof paging === 'object' ? paging : {};
  const perPage = {
    type: 'integer',
    minimum: 1,
    ...(maxPerPage !== undefined && { maximum: maxPerPage }),
    ...(defaultPerPage !== undefined && { default: defaultPerPage }),
  };
  const pages = [
    inQuery('page', 'The page of results (§4.4).', { type: 'integer', minimum: 1, default: 1 }),
    inQuery('perPage', 'Records per page (§4.4).', perPage),
  ];
  return [
    ...names('sort', 'The fields to sort by; `-` before a name means descending (§4.4).', sortable),
    ...ofOne,
    ...(paging === undefined ? [] : pages),
    ...(params === undefined ? [] : convertParameters(params)).map(({ name, schema, isRequired }) => ({
      ...inQuery(name, `The endpoint's own parameter ${name}.`, schema),
      ...(isRequired && { required: true }),
    })),
  ];
};
