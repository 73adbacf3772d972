/**
 * OpenAPI documents of declared APIs.
 *
 * @module restkin/openapi
 */

import { type ApiDeclaration, type Collection, InvalidRequestError } from '../index.ts';
import type { InfoObject, OpenApiDocument, OpenApiOptions, PathItemObject } from './document.ts';
import { createClaim, sorted } from './names.ts';
import { parameterComponents } from './parameters.ts';
import { type Endpoint, pathsOf, tagOf } from './paths.ts';
import { errorComponents, errorSchemas, headerComponents } from './responses.ts';
import { createSchemas } from './schemas.ts';
import { securitySchemes, takesTokens, tokenEndpoint, tokenSchemas } from './security.ts';
import { type Declared, nameOf, survey } from './survey.ts';

export type * from './document.ts';

const declaredIn = (apis: readonly ApiDeclaration[]): readonly Declared[] =>
  apis.flatMap((api) =>
    Object.entries(api.collections).map(([key, collection]) => ({
      api,
      key,
      // A declaration's collections were checked when they were declared.
      collection: collection as Collection,
    })),
  );

const infoOf = (apis: readonly ApiDeclaration[], info: Partial<InfoObject> = {}): InfoObject => ({
  title: [...new Set(apis.map(({ name }) => name))].join(', '),
  version: apis.map(({ version }) => version).join(', '),
  ...info,
});

const tagsOf = (declared: readonly Declared[], hasTokens: boolean): OpenApiDocument['tags'] => [
  ...declared.map((one) => ({ name: tagOf(one) })),
  ...(hasTokens ? [{ name: 'authentication', description: 'The token endpoint (§4.1).' }] : []),
];

/** @throws {@link InvalidRequestError} for two paths that differ only in the names of their parameters */
const collectPaths = (endpoints: readonly Endpoint[]): Record<string, PathItemObject> => {
  const taken = new Map<string, Endpoint>();
  const all: Record<string, PathItemObject> = {};
  for (const endpoint of endpoints) {
    for (const [path, item] of Object.entries(pathsOf(endpoint))) {
      const shape = path.replace(/\{\w+\}/g, '{}');
      const other = taken.get(shape);
      if (other !== undefined) {
        throw new InvalidRequestError(
          `${nameOf(endpoint)}: its path ${path} is also one of ${nameOf(other)}; a document has each path ` +
            'once',
        );
      }
      taken.set(shape, endpoint);
      all[path] = item;
    }
  }
  return all;
};

/**
 * Writes declarations as one OpenAPI 3.1 document: resources and request bodies as they go over the wire, and what the
 * conventions add to them, from query parameters to error bodies. The same declarations give the same document.
 *
 * @param apis - one declaration, or several: other APIs, and other major versions of one
 * @throws `InvalidRequestError` for a field that JSON Schema cannot describe, for a scheme of the API's own that
 * `securitySchemes` does not describe, and for two collections at one path
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @example
 * ```ts
 * const document = toOpenApi(ordering, {
 *   info: { title: 'Ordering', version: '1.4.0' },
 *   servers: [{ url: 'https://api.example.com' }],
 *   authUrl: 'https://auth.example.com',
 * });
 * console.log(document.openapi, Object.keys(document.paths));
 * ```
 */
export const toOpenApi = (
  apis: ApiDeclaration | readonly ApiDeclaration[],
  options: OpenApiOptions = {},
): OpenApiDocument => {
  const list = 'collections' in apis ? [apis] : apis;
  const declared = declaredIn(list);
  const hasTokens = list.some(takesTokens);
  const ownSchemas = { ...errorSchemas, ...(hasTokens && tokenSchemas) };
  const claim = createClaim(Object.keys(ownSchemas));
  const params = declared.flatMap(({ collection }) => collection.options.params ?? []);
  const schemas = createSchemas(survey(declared, claim), params, claim);
  const claimOperationId = createClaim(['requestToken']);
  const apiPaths = collectPaths(
    declared.map((one) => ({
      ...one,
      schemas,
      options,
      claimOperationId,
      isDeprecated: list.some(({ name, version }) => name === one.api.name && version > one.api.version),
    })),
  );
  const componentSchemas = sorted({ ...schemas.finish(), ...ownSchemas });
  const paths = { ...apiPaths, ...(hasTokens && tokenEndpoint(options.authUrl)) };
  return {
    openapi: '3.1.1',
    info: infoOf(list, options.info),
    servers: options.servers ?? [{ url: '/' }],
    tags: tagsOf(declared, hasTokens),
    paths,
    components: {
      schemas: componentSchemas,
      parameters: parameterComponents,
      headers: headerComponents,
      responses: sorted(errorComponents),
      securitySchemes: securitySchemes(list, options.securitySchemes ?? {}),
    },
  };
};
