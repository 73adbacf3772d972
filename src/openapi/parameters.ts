import type { Collection } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import type { JsonSchema, ParameterObject, ReferenceObject } from './document.ts';
import type { Schemas } from './schemas.ts';

/** The request header fields of a GET (§7.1). */
export const parameterComponents: Readonly<Record<string, ParameterObject>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` that the client has: the response is 304 when it is still the current one (§7.1).',
    schema: { type: 'string' },
  },
  ModifiedSince: {
    name: 'Modified-Since',
    in: 'header',
    description: 'A date: the response is 304 when the resource has not changed since then (§7.1).',
    schema: { type: 'string' },
  },
};

/** References to the request header fields of a GET. */
export const conditionParameters: readonly ReferenceObject[] = Object.keys(parameterComponents).map(
  (name) => ({ $ref: `#/components/parameters/${name}` }),
);

type Names = true | readonly string[];

/** Writes query parameters; `plainLists` writes lists as strings that are joined with commas. */
export const createParameters = (schemas: Schemas, plainLists: boolean) => {
  const inQuery = (name: string, description: string, schema: JsonSchema): ParameterObject => {
    const isList = schema.type === 'array';
    if (!isList || !plainLists)
      return { name, in: 'query', description, ...(isList && { style: 'form', explode: false }), schema };
    return {
      name,
      in: 'query',
      description: `${description} Joined with commas.`,
      schema: { type: 'string' },
    };
  };

  /** `true` allows every field path, without a list: a resource that contains itself has endless paths. */
  const names = (name: string, description: string, of: Names | undefined): readonly ParameterObject[] => {
    if (of === undefined || (of !== true && of.length === 0)) return [];
    const item: JsonSchema = of === true ? { type: 'string' } : { type: 'string', enum: of };
    const which =
      of === true
        ? 'Every field can be named; a nested one by its dotted path.'
        : `One of \`${of.join('`, `')}\`.`;
    const isSaid = of === true || plainLists;
    return [inQuery(name, isSaid ? `${description} ${which}` : description, { type: 'array', items: item })];
  };

  const paging = (options: Collection['options']['paging']): readonly ParameterObject[] => {
    if (options === undefined) return [];
    const { maxPerPage, defaultPerPage } = options === true ? {} : options;
    const limits = {
      ...(maxPerPage !== undefined && { maximum: maxPerPage }),
      ...(defaultPerPage !== undefined && { default: defaultPerPage }),
    };
    return [
      inQuery('page', 'The page of results (§4.4).', { type: 'integer', minimum: 1, default: 1 }),
      inQuery('perPage', 'Records per page (§4.4).', { type: 'integer', minimum: 1, ...limits }),
    ];
  };

  /** The parameters of §4.4 that a list and a single resource have in common. */
  const ofOne = ({ options: { fields, expand } }: Collection): readonly ParameterObject[] => [
    ...names('fields', 'The only fields to return; `id` and `self` are always returned (§4.4).', fields),
    ...names(
      'expand',
      'The nested resources to return in full instead of only their `id` and `self` (§4.4).',
      expand,
    ),
  ];

  /** The query parameters of a list (§4.4), and the endpoint's own. */
  const ofList = (collection: Collection): readonly ParameterObject[] => {
    const { sort, paging: pages } = collection.options;
    const own = Object.entries(schemas.parameters(collection)).map(
      ([name, schema]): ParameterObject => ({
        ...inQuery(name, `The endpoint's own parameter ${name}.`, schema),
        ...(schemas.isRequired(collection, name) && { required: true }),
      }),
    );
    return [
      ...names(
        'sort',
        'The fields to sort by, in order of precedence; `-` before a name means descending (§4.4).',
        sort === true ? true : sort?.flatMap((name) => [name, `-${name}`]),
      ),
      ...ofOne(collection),
      ...paging(pages),
      ...own,
    ];
  };

  return { ofOne, ofList };
};

/** The parameters of a path: `:companyId` of `companies/:companyId/orders`. */
export const pathParameters = (path: string): readonly ParameterObject[] =>
  parameterNamesOf(path).map((name) => ({
    name,
    in: 'path',
    description: `The parameter ${name} of the path.`,
    required: true,
    schema: { type: ['string', 'number'] },
  }));
