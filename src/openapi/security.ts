import {
  accessTokenLifetimeS,
  authScheme,
  formType,
  grantType,
  jsonType,
  refreshTokenLifetimeS,
  tokenPath,
} from '../conventions.ts';
import { type ApiDeclaration, InvalidRequestError } from '../index.ts';
import { schemeNamesOf } from '../schema/define-api.ts';
import type { JsonSchema, PathItemObject, SecuritySchemes } from './document.ts';
import { sorted } from './names.ts';
import { errorResponses } from './responses.ts';

const conventionalSchemes: SecuritySchemes = {
  basic: {
    type: 'http',
    scheme: authScheme.basic.toLowerCase(),
  },
  token: {
    type: 'http',
    scheme: authScheme.bearer.toLowerCase(),
    bearerFormat: 'JWT',
    description: `An access token of \`POST /${tokenPath}\` (§5.2). It is valid for ${accessTokenLifetimeS / 60} minutes.`,
  },
};

/** What a request to an API needs: one of its schemes (§5). */
export const securityOf = (api: ApiDeclaration): readonly Readonly<Record<string, readonly string[]>>[] =>
  schemeNamesOf(api).map((name) => ({ [name]: [] }));

export const takesTokens = (api: ApiDeclaration): boolean => schemeNamesOf(api).includes('token');

/**
 * The schemes of the APIs, by name.
 *
 * @throws {@link InvalidRequestError} for a scheme that neither §5 nor `own` describes
 */
export const securitySchemes = (apis: readonly ApiDeclaration[], own: SecuritySchemes): SecuritySchemes => {
  const known: SecuritySchemes = { ...conventionalSchemes, ...own };
  const used = apis.flatMap((api) =>
    schemeNamesOf(api).map((name) => {
      const scheme = Object.hasOwn(known, name) ? known[name] : undefined;
      if (scheme !== undefined) return [name, scheme] as const;
      throw new InvalidRequestError(
        `API ${JSON.stringify(api.name)}: the scheme ${JSON.stringify(name)} is the API's own style; describe it in ` +
          'toOpenApi({ securitySchemes })',
      );
    }),
  );
  return sorted(Object.fromEntries(used));
};

const string: JsonSchema = { type: 'string' };
const secret: JsonSchema = { type: 'string', format: 'password' };

const grantSchema = (grant: string, fields: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: { grant_type: { type: 'string', const: grant }, ...fields },
  required: ['grant_type', ...Object.keys(fields)],
});

const seconds = (example: number): JsonSchema => ({ type: 'integer', examples: [example] });

/** The schemas of the token endpoint (§2.2, §4.1). */
export const tokenSchemas: Readonly<Record<string, JsonSchema>> = {
  TokenRequest: {
    description: 'A password grant, or a refresh with a token that can be used once (§4.1).',
    oneOf: [
      grantSchema(grantType.password, { username: string, password: secret }),
      grantSchema(grantType.refreshToken, { refresh_token: secret }),
    ],
  },
  TokenResponse: {
    description: 'An access token, and a refresh token that can be used once (§2.2).',
    type: 'object',
    properties: {
      access_token: string,
      expires_in: seconds(accessTokenLifetimeS),
      token_type: { type: 'string', enum: ['bearer'] },
      refresh_expires_in: seconds(refreshTokenLifetimeS),
      refresh_token: string,
    },
    required: ['access_token', 'expires_in', 'token_type', 'refresh_expires_in', 'refresh_token'],
  },
};

/** The path of the token endpoint (§4.1). */
export const tokenEndpoint = (authUrl: string | undefined): Readonly<Record<string, PathItemObject>> => ({
  [`/${tokenPath}`]: {
    ...(authUrl !== undefined && { servers: [{ url: authUrl }] }),
    post: {
      operationId: 'requestToken',
      summary: 'Log in, or renew the access token',
      tags: ['authentication'],
      security: [],
      requestBody: {
        required: true,
        content: { [formType]: { schema: { $ref: '#/components/schemas/TokenRequest' } } },
      },
      responses: {
        200: {
          description: 'The tokens.',
          content: { [jsonType]: { schema: { $ref: '#/components/schemas/TokenResponse' } } },
        },
        ...errorResponses('POST'),
      },
    },
  },
});
