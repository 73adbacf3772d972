// biome-ignore-all lint/suspicious/noTemplateCurlyInString: printed code has them
import { createClient, customAuth } from 'restkin';
import { expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, list, resourceOf, type Schema } from '../../../support/odd-document.ts';

// The file says how the client of its API is made. A scheme of the document's own is declared by its name.

const document = (securitySchemes: Schema, security: readonly Schema[]) => ({
  ...documentOf({ '/v1/things': list(resourceOf({})) }),
  servers: [{ url: 'https://api.example.com' }],
  security,
  components: { securitySchemes },
});

const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
const flow = { authorizationUrl: 'https://a.test', tokenUrl: 'https://t.test', scopes: {} };

/** The comment above the API. */
const commentOf = async (securitySchemes: Schema, ...security: readonly Schema[]) => {
  const imported = await importOf(document(securitySchemes, security));
  expect(apisOf(imported)).toHaveLength(1);
  const [, comment] = /\/\/ (Its client: .+)\.\nexport const shopAPI/.exec(imported.declarations) ?? [];
  return comment?.replace("createClient({ baseUrl: 'https://api.example.com', ", '({ ');
};

test.each<[string, Schema, string]>([
  ['a header', key('header', 'X-Api-Key'), "({ auth: { own: customAuth(() => ({ 'x-api-key': key })) } })"],
  ['a cookie', key('cookie', 'sid'), '({ auth: { own: customAuth(() => ({ cookie: `sid=${key}` })) } })'],
  [
    'OAuth 2',
    { type: 'oauth2', flows: { authorizationCode: flow } },
    '({ auth: { own: customAuth(() => ({ authorization: `Bearer ${token}` })) } })',
  ],
  [
    'a bearer token',
    { type: 'http', scheme: 'Bearer' },
    '({ auth: { token: customAuth(() => ({ authorization: `Bearer ${token}` })) } })',
  ],
  [
    'a bearer token of the token endpoint of the conventions',
    {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of `POST {auth_url}/auth/token` (§5.2).',
    },
    '({ auth: tokenAuth({ authUrl, username, password }) })',
  ],
  [
    'OAuth 2 with a password',
    { type: 'oauth2', flows: { password: { tokenUrl: 'https://auth.example.com/oauth/token' } } },
    "({ auth: tokenAuth({ authUrl: 'https://auth.example.com', tokenPath: 'oauth/token', username, password }) })",
  ],
  [
    'OAuth 2 with a password, at a path of the API',
    { type: 'oauth2', flows: { password: { tokenUrl: 'login/access-token' } } },
    "({ auth: tokenAuth({ authUrl: 'https://api.example.com', tokenPath: 'login/access-token', username, password }) })",
  ],
  ['Basic', { type: 'http', scheme: 'basic' }, '({ auth: basicAuth({ username, password }) })'],
  [
    'OpenID Connect',
    { type: 'openIdConnect' },
    '({ auth: { own: customAuth(() => ({ authorization: `Bearer ${token}` })) } })',
  ],
  [
    'a query parameter',
    key('query', 'api_key'),
    '({ auth: { own: customAuth(() => undefined) } }), with a `fetch` that adds the query parameter `api_key` to each URL',
  ],
])('the client of a scheme by %s', async (_, scheme, line) => {
  expect(await commentOf({ own: scheme }, { own: [] })).toBe(`Its client: ${line}`);
});

test('schemes that are needed together are one, with the fields of each', async () => {
  const schemes = { key: key('header', 'X-Key'), app: key('header', 'X-App') };
  expect(await commentOf(schemes, { key: [], app: [] })).toBe(
    "Its client: ({ auth: { 'key+app': customAuth(() => ({ 'x-key': key, 'x-app': key })) } })",
  );
});

test('the client of an API without a scheme sends no credentials', async () => {
  expect(await commentOf({})).toBe('Its client: ({ auth: customAuth(() => undefined) })');
});

test('there is no line for a certificate', async () => {
  expect(await commentOf({ own: { type: 'mutualTLS' } }, { own: [] })).toBeUndefined();
});

test('a bearer token beside a key is sent with it', async () => {
  const schemes = { jwt: { type: 'http', scheme: 'bearer' }, app: key('header', 'X-App') };
  expect(await commentOf(schemes, { jwt: [], app: [] })).toBe(
    "Its client: ({ auth: { 'token+app': customAuth(() => ({ authorization: `Bearer ${token}`, 'x-app': key })) } })",
  );
});

test.each<[string, string, string]>([
  ['no URL', '/', 'baseUrl'],
  ['a path', '/api/', 'baseUrl: `${origin}/api`'],
])("the base URL is the user's to say where the document has %s", async (_, url, code) => {
  const servers = {
    ...document({ login: { type: 'http', scheme: 'basic' } }, [{ login: [] }]),
    servers: [{ url }],
  };
  const { declarations } = await importOf(servers);
  expect(declarations).toContain(`createClient({ ${code}, auth: basicAuth({ username, password }) })`);
});

test('the login of an API whose document has paths alone is at the same origin', async () => {
  const login = { type: 'oauth2', flows: { password: { tokenUrl: '/api/login' } } };
  const servers = [{ url: '/api' }];
  const { declarations } = await importOf({ ...document({ login }, [{ login: [] }]), servers });
  expect(declarations).toContain(
    "createClient({ baseUrl: `${origin}/api`, auth: tokenAuth({ authUrl: origin, tokenPath: 'api/login', username, password }) })",
  );
});

test('a name that would end the comment does not', async () => {
  const name = "x\n} console.log('run')";
  expect(await commentOf({ own: key('query', name) }, { own: [] })).toContain('`x } console.log');
});

test.each<[string, Schema, string, Record<string, string>]>([
  ['the header of a key', key('header', 'X-Api-Key'), 'own', { 'x-api-key': 'k-1234' }],
  ['a bearer token', { type: 'http', scheme: 'bearer' }, 'token', { authorization: 'Bearer k-1234' }],
])('the printed line makes a client that sends %s', async (_, scheme, name, fields) => {
  const [api] = apisOf(await importOf(document({ own: scheme }, [{ own: [] }])));
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    auth: { [name]: customAuth(() => fields) },
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json([]);
    },
  });
  const { things } = client.api(api as never) as unknown as {
    readonly things: { list(): { toArray(): Promise<unknown> } };
  };
  await things.list().toArray();
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject(fields);
});
