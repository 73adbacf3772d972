import type { Collection } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import type { JsonSchema, ParameterObject, ReferenceObject } from './document.ts';
import type { Schemas } from './schemas.ts';

/** The request header fields of a GET (§7.1). */
export const parameterComponents: Readonly<Record<string, ParameterObject>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that the client has (§7.1).',
    schema: { type: 'string' },
  },
  ModifiedSince: {
    name: 'Modified-Since',
    in: 'header',
    description: 'When the client last fetched the resource (§7.1).',
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
    const start = { name, in: 'query', description } as const;
    if (schema.type !== 'array') return { ...start, schema };
    if (!plainLists) return { ...start, style: 'form', explode: false, schema };
    return { ...start, description: `${description} Joined with commas.`, schema: { type: 'string' } };
  };

  /** `true` allows every field path, without a list: a resource that contains itself has endless paths. */
  const names = (name: string, description: string, of: Names | undefined): readonly ParameterObject[] => {
    if (of === undefined || (of !== true && of.length === 0)) return [];
    const items = { type: 'string', ...(of !== true && { enum: of }) };
    const which = of === true || !plainLists ? '' : ` One of \`${of.join('`, `')}\`.`;
    return [inQuery(name, description + which, { type: 'array', items })];
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
    ...names('fields', 'The fields to return besides `id` and `self` (§4.4).', fields),
    ...names('expand', 'The nested resources to return in full (§4.4).', expand),
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
        'The fields to sort by; `-` before a name means descending (§4.4).',
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
