/**
 * OpenAPI documents of declared APIs.
 *
 * @module restkin/openapi
 */

import { authScheme, tokenPath } from '../conventions.ts';
import { conventions } from '../families/family.ts';
import { differencesOf, readFamily } from '../families/read-family.ts';
import { type ApiDeclaration, type Collection, InvalidRequestError } from '../index.ts';
import { checkBoolean, checkName, checkOf, createReader, isObject } from '../options.ts';
import { familyOf, isDeclaration, schemeNamesOf } from '../schema/define-api.ts';
import { endpointsOf } from '../schema/endpoints-of.ts';
import type { OpenApiDocument, OpenApiOptions, PathItemObject, SecuritySchemes } from './document.ts';
import { endpointPathOf } from './endpoints.ts';
import { createClaim, sorted } from './names.ts';
import { operationIdsOf, pathsOf } from './paths.ts';
import { errorSchemasOf } from './responses.ts';
import { createSchemas } from './schemas.ts';

export type * from './document.ts';

const areServers = (servers: unknown): boolean =>
  Array.isArray(servers) && servers.every((server) => isObject(server) && typeof server.url === 'string');

const readOptions = createReader<OpenApiOptions>({
  info: checkOf(isObject, "an object of fields, such as { title: 'Ordering' }"),
  servers: checkOf(areServers, 'an array of servers, each with its url'),
  authUrl: checkName,
  securitySchemes: checkOf(isObject, 'an object of schemes by name'),
  plainLists: checkBoolean,
  fullResponses: checkBoolean,
});

/** A URL that a path is appended to. */
const withoutSlash = (url: string): string => url.replace(/(?<=.)\/+$/, '');

const conventionalSchemes = (authUrl = '{auth_url}'): SecuritySchemes => ({
  basic: { type: 'http', scheme: authScheme.basic.toLowerCase() },
  token: {
    type: 'http',
    scheme: authScheme.bearer.toLowerCase(),
    bearerFormat: 'JWT',
    description: `An access token of \`POST ${withoutSlash(authUrl)}/${tokenPath}\` (§5.2).`,
  },
});

/** A path without the names of its parameters. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');

/** @throws {@link InvalidRequestError} for a scheme that neither §5 nor the options describe */
const securitySchemes = (api: ApiDeclaration, { authUrl, securitySchemes }: OpenApiOptions) => {
  const known: SecuritySchemes = { ...conventionalSchemes(authUrl), ...securitySchemes };
  const used = schemeNamesOf(api).map((name) => {
    const scheme = Object.hasOwn(known, name) ? known[name] : undefined;
    if (scheme !== undefined) return [name, scheme] as const;
    throw new InvalidRequestError(
      `API ${JSON.stringify(api.name)}: the scheme ${JSON.stringify(name)} is the API's own style; describe it in ` +
        'toOpenApi({ securitySchemes })',
    );
  });
  return sorted(Object.fromEntries(used));
};

/**
 * Writes a declaration as an OpenAPI 3.1 document: resources and request bodies as they go over the wire, and
 * what the conventions add to them, from query parameters to error bodies. The same declaration gives the
 * same document.
 *
 * @throws `InvalidRequestError` for a field that JSON Schema cannot describe,
 * for a scheme of the API's own that `securitySchemes` does not describe, and for two collections at one path
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
export const toOpenApi = (api: ApiDeclaration, given?: OpenApiOptions): OpenApiDocument => {
  if (!isDeclaration(api)) throw new InvalidRequestError('toOpenApi needs what defineApi returned');
  const options = readOptions(given, 'toOpenApi');
  const errorSchemas = errorSchemasOf(familyOf(api));
  const schemas = createSchemas(api, createClaim(Object.keys(errorSchemas)));
  const paths: Record<string, PathItemObject> = {};
  /** Each path by its shape: the names of parameters do not tell paths apart. */
  const shapes = new Map<string, string>();
  const collections = Object.entries(api.collections as Readonly<Record<string, Collection>>);
  for (const [key, collection] of collections) {
    const own = pathsOf({ api, key, collection, schemas, options });
    for (const path of Object.keys(own)) {
      const shape = shapeOf(path);
      if (shapes.has(shape))
        throw new InvalidRequestError(
          `The collection ${JSON.stringify(key)}: another one has its path ${path}, too; declare the operations of one of them as endpoint()`,
        );
      shapes.set(shape, path);
    }
    Object.assign(paths, own);
  }
  const claimId = createClaim(collections.flatMap(operationIdsOf));
  for (const endpoint of endpointsOf(api)) {
    const { path, item } = endpointPathOf(endpoint, { api, schemas, options, claimId });
    const shape = shapeOf(path);
    const at = shapes.get(shape) ?? path;
    shapes.set(shape, at);
    paths[at] = { ...item, ...paths[at] };
  }
  const family = familyOf(api);
  const isConventional = Object.keys(differencesOf(family, conventions)).length === 0;
  return {
    openapi: '3.1.1',
    info: { title: api.name, version: String(api.version), ...options.info },
    servers: (options.servers ?? [{ url: '/' }]).map((one) => ({ ...one, url: withoutSlash(one.url) })),
    paths,
    components: {
      schemas: sorted({ ...schemas.finish(), ...errorSchemas }),
      securitySchemes: securitySchemes(api, options),
    },
    ...(!isConventional && { 'x-restkin-family': differencesOf(family, readFamily({})) }),
  };
};
