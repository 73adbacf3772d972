import type { Collection } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import type { JsonSchema, ParameterObject, ReferenceObject } from './document.ts';
import type { Schemas } from './schemas.ts';

const inHeader = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** The request header fields of a GET (§7.1). */
export const parameterComponents: Readonly<Record<string, ParameterObject>> = {
  IfNoneMatch: inHeader('If-None-Match', 'The `ETag` that the client has (§7.1).'),
  ModifiedSince: inHeader('Modified-Since', 'When the client last fetched the resource (§7.1).'),
};

/** References to the request header fields of a GET. */
export const conditionParameters: readonly ReferenceObject[] = Object.keys(parameterComponents).map(
  (name) => ({ $ref: `#/components/parameters/${name}` }),
);

/** The parameters of a path: `:companyId` of `companies/:companyId/orders`. */
export const pathParameters = (path: string): readonly ParameterObject[] =>
  parameterNamesOf(path).map((name) => ({
    name,
    in: 'path',
    description: `The parameter ${name} of the path.`,
    required: true,
    schema: { type: ['string', 'number'] },
  }));

/**
 * Writes the query parameters of a collection (§4.4): of its list, or those that one resource has, too.
 *
 * @param plainLists - writes lists as strings that are joined with commas
 */
export const queryParameters = (
  { options: { sort, fields, expand, paging, params } }: Collection,
  isList: boolean,
  schemas: Schemas,
  plainLists: boolean,
): readonly ParameterObject[] => {
  const inQuery = (name: string, description: string, schema: JsonSchema): ParameterObject => {
    const start = { name, in: 'query', description } as const;
    if (schema.type !== 'array') return { ...start, schema };
    if (!plainLists) return { ...start, style: 'form', explode: false, schema };
    return { ...start, description: `${description} Joined with commas.`, schema: { type: 'string' } };
  };

  /** `true` allows every field path, without a list: a resource that contains itself has paths of any length. */
  const names = (
    name: string,
    description: string,
    of: true | readonly string[] = [],
  ): readonly ParameterObject[] => {
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
    ...{ type: 'integer', minimum: 1 },
    ...(maxPerPage !== undefined && { maximum: maxPerPage }),
    ...(defaultPerPage !== undefined && { default: defaultPerPage }),
  };
  const pages = [
    inQuery('page', 'The page of results (§4.4).', { type: 'integer', minimum: 1, default: 1 }),
    inQuery('perPage', 'Records per page (§4.4).', perPage),
  ];
  const own = params === undefined ? [] : schemas.parameters(params);
  return [
    ...names('sort', 'The fields to sort by; `-` before a name means descending (§4.4).', sortable),
    ...ofOne,
    ...(paging === undefined ? [] : pages),
    ...own.map(({ name, schema, isRequired }) => ({
      ...inQuery(name, `The endpoint's own parameter ${name}.`, schema),
      ...(isRequired && { required: true }),
    })),
  ];
};
