// biome-ignore-all lint/suspicious/noTemplateCurlyInString: printed code has them
import { createClient, customAuth } from 'restkin';
import { expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, list, resourceOf, type Schema } from '../../../support/odd-document.ts';

// A scheme of the document's own is declared by its name, and the file says how its client is made.

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

test.each<[string, Schema]>([
  ['a bearer token', { type: 'http', scheme: 'bearer' }],
  ['Basic', { type: 'http', scheme: 'basic' }],
  ['a certificate', { type: 'mutualTLS' }],
])('there is no line for %s', async (_, scheme) => {
  expect(await commentOf({ own: scheme }, { own: [] })).toBeUndefined();
});

test('a name that would end the comment does not', async () => {
  const name = "x\n} console.log('run')";
  expect(await commentOf({ own: key('query', name) }, { own: [] })).toContain('`x } console.log');
});

test('the printed line makes a client that sends the header', async () => {
  const [api] = apisOf(await importOf(document({ own: key('header', 'X-Api-Key') }, [{ own: [] }])));
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    auth: { own: customAuth(() => ({ 'x-api-key': 'k-1234' })) },
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json([]);
    },
  });
  const { things } = client.api(api as never) as unknown as {
    readonly things: { list(): { toArray(): Promise<unknown> } };
  };
  await things.list().toArray();
  expect(sent[0]?.headers.get('x-api-key')).toBe('k-1234');
});
