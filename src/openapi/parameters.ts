import type { Collection } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { fieldsOf } from '../schema/zod.ts';
import type { ParameterObject, ReferenceObject } from './document.ts';
import { formInQuery, type Place, type Schemas } from './schemas.ts';

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

/** A list of names. `true` allows every field path, without a list: a resource that contains itself has endless paths. */
const listParameter = (
  name: string,
  description: string,
  names: true | readonly string[],
): ParameterObject => ({
  name,
  in: 'query',
  description:
    names === true
      ? `${description} Every field can be named; a nested one by its dotted path.`
      : description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: names === true ? { type: 'string' } : { type: 'string', enum: names } },
});

const pagingParameters = (
  paging: NonNullable<Collection['options']['paging']>,
): readonly ParameterObject[] => {
  const { maxPerPage, defaultPerPage } = paging === true ? {} : paging;
  return [
    {
      name: 'page',
      in: 'query',
      description: 'The page of results (§4.4).',
      schema: { type: 'integer', minimum: 1, default: 1 },
    },
    {
      name: 'perPage',
      in: 'query',
      description: 'Records per page (§4.4).',
      schema: {
        type: 'integer',
        minimum: 1,
        ...(maxPerPage !== undefined && { maximum: maxPerPage }),
        ...(defaultPerPage !== undefined && { default: defaultPerPage }),
      },
    },
  ];
};

/** The parameters of §4.4 that a list and a single resource have in common. */
export const selectionParameters = ({
  options: { fields, expand = [] },
}: Collection): readonly ParameterObject[] => {
  const onlyFields = 'The only fields to return; `id` and `self` are always returned (§4.4).';
  const inFull = 'The nested resources to return in full instead of only their `id` and `self` (§4.4).';
  return [
    ...(fields === undefined ? [] : [listParameter('fields', onlyFields, fields)]),
    ...(expand.length === 0 ? [] : [listParameter('expand', inFull, expand)]),
  ];
};

/** The endpoint's own query parameters. */
const ownParameters = (
  { options: { params } }: Collection,
  schemas: Schemas,
  place: Place,
): readonly ParameterObject[] =>
  Object.entries((params && fieldsOf(params)) ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    description: `The endpoint's own parameter ${name}.`,
    ...(field._zod.optin === undefined && { required: true }),
    style: 'form',
    // A list is joined with commas.
    explode: false,
    schema: schemas.toWire(field, formInQuery(field), { ...place, path: `params.${name}` }),
  }));

/** The query parameters of a list (§4.4). */
export const listParameters = (
  collection: Collection,
  schemas: Schemas,
  place: Place,
): readonly ParameterObject[] => {
  const { sort, paging } = collection.options;
  const inOrder = 'The fields to sort by, in order of precedence; `-` before a name means descending (§4.4).';
  const directions = sort === true ? true : sort?.flatMap((name) => [name, `-${name}`]);
  return [
    ...(directions === undefined ? [] : [listParameter('sort', inOrder, directions)]),
    ...selectionParameters(collection),
    ...(paging === undefined ? [] : pagingParameters(paging)),
    ...ownParameters(collection, schemas, place),
  ];
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
