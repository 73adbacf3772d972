import { createClient, customAuth } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  query,
  resourceOf,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

// Each part of an operation is declared, typed loosely with a line of the report, or refused with a line:
// none is lost in silence.

const string = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const object = { type: 'object', properties: { a: string } };
const strings = { type: 'array', items: string };
const contentOf = (type: string, schema: Schema) => ({ content: { [type]: { schema } } });

/** The declared endpoint of an operation, without its first two arguments, and what is reported of it. */
const endpointOf = async (method: string, operation: Schema, path = '/v1/op') => {
  const whole = { operationId: 'op', responses: { 204: {} }, ...operation };
  const imported = await importOf(documentOf({ [path]: { [method]: whole } }));
  // What does not run, or no mock takes, is no declaration.
  for (const api of apisOf(imported)) createMock(api);
  evaluate(imported);
  const code = imported.declarations.replace(/\s+/g, ' ');
  const [, options] = /endpoint\('\w+', '[^']+'(?:, \{ (.*?),? \})?\)/.exec(code) ?? [];
  return { options, code, unfit: imported.unfit.map((one) => one.replace('shopAPI.op: ', '')) };
};

describe('a response', () => {
  test.each<[string, Schema, string | undefined, readonly string[]]>([
    ['text/csv of bytes', { 200: contentOf('text/csv', binary) }, "accept: 'text/csv', as: 'bytes'", []],
    ['text/csv', { 200: contentOf('text/csv', string) }, "accept: 'text/csv', as: 'text'", []],
    [
      'application/pdf',
      { 200: contentOf('application/pdf', binary) },
      "accept: 'application/pdf', as: 'bytes'",
      [],
    ],
    ['image/*', { 200: contentOf('image/*', binary) }, "accept: 'image/*', as: 'bytes'", []],
    ['application/json of bytes', { 200: json(binary) }, "accept: 'application/json', as: 'bytes'", []],
    ['*/* of bytes', { 200: contentOf('*/*', binary) }, "as: 'bytes'", []],
    ['*/* of JSON', { 200: contentOf('*/*', object) }, 'response: OpResponse', []],
    [
      'application/vnd.x+json',
      { 200: contentOf('application/vnd.x+json', object) },
      "response: OpResponse, accept: 'application/vnd.x+json'",
      [],
    ],
    ['2XX', { '2XX': response(object) }, 'response: OpResponse', []],
    [
      'in two types',
      { 200: { content: { ...contentOf('text/csv', string).content, ...json(object).content } } },
      'response: OpResponse',
      ['its response as text/csv'],
    ],
    [
      'without a status',
      { default: response(object) },
      undefined,
      ['its response `default`, because no status says that it is a success'],
    ],
    [
      'behind a reference that leads nowhere',
      { 200: { $ref: '#/components/responses/No' } },
      undefined,
      ['the reference #/components/responses/No leads nowhere'],
    ],
  ])('%s', async (_, responses, options, unfit) => {
    expect(await endpointOf('get', { responses })).toMatchObject({ options, unfit });
  });
});

test('a response behind an anchor is reported', async () => {
  const { unfit } = await endpointOf('get', { responses: { 200: { $ref: '#no' } } });
  expect(unfit).toEqual([expect.stringMatching(/^the reference #\S+ leads nowhere$/)]);
});

describe('a request body', () => {
  test.each<[string, string, Schema, string | undefined, readonly string[]]>([
    [
      'of a form',
      'post',
      contentOf('multipart/form-data', object),
      'body: z.instanceof(FormData)',
      ['the fields of its form'],
    ],
    [
      'of an encoded form',
      'post',
      contentOf('application/x-www-form-urlencoded', object),
      'body: z.instanceof(URLSearchParams)',
      ['the fields of its form'],
    ],
    [
      'of another JSON',
      'patch',
      contentOf('application/merge-patch+json', object),
      "body: OpBody, contentType: 'application/merge-patch+json'",
      [],
    ],
    [
      'of text',
      'post',
      contentOf('text/plain', string),
      "body: z.instanceof(Blob), contentType: 'text/plain'",
      [],
    ],
    [
      'of bytes',
      'put',
      contentOf('image/png', binary),
      "body: z.instanceof(Blob), contentType: 'image/png'",
      [],
    ],
    ['of any bytes', 'put', contentOf('*/*', binary), 'body: z.instanceof(Blob)', []],
    [
      'in two types',
      'put',
      { content: { ...contentOf('application/xml', object).content, ...json(object).content } },
      'body: OpBody',
      ['its request body as application/xml'],
    ],
    ['of DELETE', 'delete', json(object), undefined, ['its request body, because DELETE has none (§4.2)']],
  ])('%s', async (_, method, body, options, unfit) => {
    const requestBody = { ...body, required: true };
    expect(await endpointOf(method, { requestBody })).toMatchObject({ options, unfit });
  });
});

describe('a parameter', () => {
  const name = (given: string) => `the query parameter \`${given}\``;
  test.each<[string, Schema, string, readonly string[]]>([
    ['a list with commas', query('q', strings, { explode: false }), 'q: z.optional(z.array(z.string()))', []],
    ['a list with pipes', query('q', strings, { style: 'pipeDelimited' }), 'op', [name('q')]],
    ['a deep object', query('q', object, { style: 'deepObject' }), 'op', [name('q')]],
    ['an object', query('q', object), 'op', [name('q')]],
    ['with content', { in: 'query', name: 'q', ...json(object) }, 'op', [name('q')]],
    [
      'a default',
      query('q', { type: 'integer', default: 3 }),
      'q: z.optional(z.int().meta({ default: 3 }))',
      [],
    ],
    [
      'a default list',
      query('q', { ...strings, default: ['a', 'b'] }),
      "q: z.optional(z.array(z.string()).meta({ default: ['a', 'b'] }))",
      [],
    ],
    [
      'a default of an open enum',
      query('q', { type: 'string', 'x-extensible-enum': ['a'], default: 'a' }),
      "q: z.optional(openEnum(['a']))",
      ['the default of the query parameter `q`, which the server fills in'],
    ],
    [
      'reserved characters',
      query('q', string, { allowReserved: true }),
      'q: z.optional(z.string())',
      ['`allowReserved` of the query parameter `q`: the client percent-encodes what it holds'],
    ],
    [
      'an optional cookie',
      { in: 'cookie', name: 'sid', schema: string },
      'op',
      ['the cookie `sid`: pass it in `headers`'],
    ],
    [
      'a header',
      { in: 'header', name: 'X-Trace', schema: string },
      'op',
      ['the header field `X-Trace`: pass it in `headers`'],
    ],
    [
      'a header that it needs',
      { in: 'header', name: 'X-Trace', required: true, schema: string },
      'op',
      ['the header field `X-Trace`, which it needs: pass it in `headers`'],
    ],
    ['a header of the client itself', { in: 'header', name: 'Accept', schema: string }, 'op', []],
    ['filter[name]', query('filter[name]', string), "'filter[name]': z.optional(z.string())", []],
    ['$top', query('$top', string), '$top: z.optional(z.string())', []],
    ['class', query('class', string), 'class: z.optional(z.string())', []],
    ['__proto__', query('__proto__', string), 'op', [name('__proto__')]],
    ['constructor', query('constructor', string), 'constructor: z.optional(z.string())', []],
    ['a reference that leads nowhere', { $ref: '#/no' }, 'op', ['the reference #/no leads nowhere']],
    [
      'a cookie',
      { in: 'cookie', name: 'sid', required: true, schema: string },
      'op',
      ['the cookie `sid`, which it needs: pass it in `headers`'],
    ],
  ])('%s', async (_, parameter, printed, unfit) => {
    const found = await endpointOf('get', { parameters: [parameter] });
    expect(found.code).toContain(printed);
    expect(found.unfit).toEqual(unfit);
  });

  test('of a path in another style is reported', async () => {
    const parameters = [{ in: 'path', name: 'id', required: true, style: 'matrix', schema: string }];
    const { unfit } = await endpointOf('get', { parameters }, '/v1/op/{id}');
    expect(unfit).toEqual(['the style of the path parameter `id`']);
  });
});

test('the formats of lists that OpenAPI 3 does not have are reported', async () => {
  const of = (name: string, collectionFormat: string, place = 'query') => {
    const list = { type: 'array', items: string, collectionFormat };
    return { in: place, name, required: place === 'path', ...list };
  };
  const parameters = [of('a', 'tsv'), of('b', 'csv'), of('c', 'multi'), of('d', 'pipes', 'path')];
  const { unfit, declarations } = await importOf({
    swagger: '2.0',
    info: { title: 'Shop API', version: '1' },
    parameters: { shared: of('e', 'tsv') },
    paths: {
      '/v1/op/{d}': {
        parameters: [{ $ref: '#/parameters/shared' }],
        get: { operationId: 'op', parameters, responses: { 204: { description: '' } } },
      },
    },
  });
  expect(declarations).toContain("repeated: ['c']");
  expect(unfit).toEqual([
    'shopAPI.op: the style of the path parameter `d`',
    'shopAPI.op: the query parameter `e`',
    'shopAPI.op: the query parameter `a`',
    'shopAPI: the scheme that it takes (§5), because the document names none',
  ]);
});

test('the default of what a list is sorted by is reported', async () => {
  const sort = query('sort', { type: 'string', enum: ['name'], default: 'name' });
  const { unfit } = await importOf(
    documentOf({ '/v1/things': list(resourceOf({ name: string }), { parameters: [sort] }) }),
  );
  expect(unfit).toEqual([
    'shopAPI.things: the default of the query parameter `sort`, which the server fills in',
  ]);
});

describe('a path', () => {
  test.each<[string, string]>([
    ['/v1/größe/{base}...{head}', 'v1/gr%C3%B6%C3%9Fe/a%2Fb...c'],
    ['/v1/op/', 'v1/op/'],
    ['/v1/op/{id}:cancel', 'v1/op/a%2Fb:cancel'],
    ['/v1/`$op`/{id}.json', 'v1/%60$op%60/a%2Fb.json'],
  ])('%s is called by a function', async (path, sent) => {
    const get = { operationId: 'op', responses: { 204: {} } };
    const exported = evaluate(await importOf(documentOf({ [path]: { get } })));
    const urls: string[] = [];
    const client = createClient({
      baseUrl: 'https://api.test',
      auth: customAuth(() => undefined),
      fetch: async (input) => {
        urls.push(new Request(input).url);
        return new Response(null, { status: 204 });
      },
    });
    const op = exported.op as (...given: readonly unknown[]) => Promise<unknown>;
    const count = path.split('{').length - 1;
    await op(client, ...['a/b', 'c'].slice(0, count));
    expect(urls).toEqual([`https://api.test/${sent}`]);
  });

  test.each(['/v1/op?a=b', '/v1/op#a', '/v1//op', '/v1/../op'])('%s is refused', async (path) => {
    const { code, unfit } = await endpointOf('get', {}, path);
    expect(code).toContain('is not declared: `client.request` takes no such path.');
    expect(unfit).toEqual([`GET ${path}: \`client.request\` takes no such path`]);
  });

  test('that leads nowhere, and a method that no declaration has, are reported', async () => {
    const get = { operationId: 'op', responses: { 204: {} } };
    const paths = { '/v1/no': { $ref: '#/no' }, '/v1/op': { get, head: get, trace: get } };
    expect((await importOf(documentOf(paths))).unfit).toEqual([
      '/v1/no: the reference #/no leads nowhere',
      'HEAD /v1/op: a declaration has no HEAD (§4.2)',
      'TRACE /v1/op: a declaration has no TRACE (§4.2)',
    ]);
  });
});

test.each<[string, Schema, string, readonly string[]]>([
  [
    'an infinite bound',
    { type: 'number', maximum: 1e300, minimum: -1e18 },
    'z.number().min(-1000000000000000000).max(1e+300)',
    [],
  ],
  ['no step', { type: 'number', multipleOf: 0 }, 'z.number()', []],
  [
    'false',
    { type: 'object', properties: { a: { type: 'object', properties: { b: false } } } },
    'z.object({ a: z.optional(z.object({ b: z.optional(z.unknown()) })) })',
    ['OpResponse.a.b: `false`, which no value fits, is not checked'],
  ],
  [
    'odd values',
    { enum: ['', "it's", 'a\nb', '*/', null] },
    "z.nullable(z.enum(['', 'it\\'s', 'a\\nb', '*/']))",
    [],
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [string, { type: 'integer' }], items: false },
    'z.tuple([z.string(), z.int()])',
    [],
  ],
  ['$dynamicRef', { $dynamicRef: '#meta' }, 'z.unknown()', ['OpResponse: `$dynamicRef` is not checked']],
])('a schema: %s', async (_, schema, printed, unfit) => {
  const found = await endpointOf('get', { responses: { 200: response(schema) } });
  expect(found.code).toContain(`OpResponse = ${printed};`);
  expect(found.unfit).toEqual(unfit);
});
