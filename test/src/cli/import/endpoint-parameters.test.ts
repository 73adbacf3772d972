import { createClient, customAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import { endpointOf } from '../../../support/imported-parts.ts';
import {
  documentOf,
  json,
  list,
  query,
  reference,
  resourceOf,
  type Schema,
} from '../../../support/odd-document.ts';

// Each part of an operation is declared, typed loosely with a line of the report, or refused with a line:
// none is lost in silence.

const string = { type: 'string' };
const object = { type: 'object', properties: { a: string } };
const strings = { type: 'array', items: string };

/** What an imported endpoint of the only API sends. */
const sentBy = async (document: Schema, name: string, options: object): Promise<Request> => {
  const [api] = apisOf(await importOf({ ...document, security: [] }));
  if (api === undefined) throw new Error('the document has no API');
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com/base',
    auth: customAuth(() => undefined),
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json({});
    },
  });
  const endpoints: Readonly<Record<string, unknown>> = client.api(api);
  await (endpoints[name] as (given: object) => Promise<unknown>)(options);
  return sent[0] as Request;
};

describe('a parameter', () => {
  const name = (given: string) => `the query parameter \`${given}\``;
  test.each<[string, Schema, string, readonly string[]]>([
    ['a list with commas', query('q', strings, { explode: false }), 'q: z.optional(z.array(z.string()))', []],
    ['a list with pipes', query('q', strings, { style: 'pipeDelimited' }), 'op', [name('q')]],
    ['a deep object', query('q', object, { style: 'deepObject' }), 'op', [name('q')]],
    [
      'a deep object that is needed',
      query('q', object, { style: 'deepObject', required: true }),
      'op',
      [`${name('q')}, which it needs: send it with \`client.request\``],
    ],
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
    ['a reference without a target', { $ref: '#/no' }, 'op', ['the reference #/no has no target']],
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

test('an endpoint takes the parameters of its path, a body that is a component, and the options of a call', async () => {
  const document = documentOf(
    {
      '/v1/report/{report-id}': {
        post: {
          operationId: 'report',
          requestBody: { ...json(reference('Wanted')), required: true },
          responses: {},
        },
      },
    },
    { Wanted: { type: 'object', properties: { year: { type: 'integer' } } } },
  );
  const { declarations } = await importOf(document);
  expect(declarations).toContain("report: endpoint('POST', 'report/:reportId', { body: Wanted })");
  const given = { reportId: 'a/b', body: { year: 2026 }, headers: { 'X-Tenant': 'a' } };
  const { method, url, headers } = await sentBy(document, 'report', given);
  expect([method, url]).toEqual(['POST', 'https://api.example.com/base/v1/report/a%2Fb']);
  expect(headers.get('x-tenant')).toBe('a');
});

test('an endpoint repeats the lists of its query', async () => {
  const tags = query('tags', { type: 'array', items: { type: 'string' } });
  const document = documentOf({
    '/v1/report': { get: { operationId: 'report', parameters: [tags], responses: {} } },
  });
  const { url } = await sentBy(document, 'report', { query: { tags: ['a', 'b'] } });
  expect(url).toBe('https://api.example.com/base/v1/report?tags=a&tags=b');
});

describe('header fields and cookies that an operation needs', () => {
  const parameters = ['X-Tenant', 'Authorization'].map((name) => ({
    in: 'header',
    name,
    required: true,
    schema: string,
  }));
  const cookie = { in: 'cookie', name: 'sid', required: true, schema: string };
  const optional = { in: 'header', name: 'X-Trace', schema: string };
  const needs = { parameters: [...parameters, optional, cookie] };

  test('are reported for a collection', async () => {
    const { unfit, declarations } = await importOf(documentOf({ '/v1/things': list(resourceOf({}), needs) }));
    expect(unfit).toEqual([
      'shopAPI.things.list: the header field `X-Tenant`, which it needs: pass it in `headers`',
      'shopAPI.things.list: the header field `X-Trace`: pass it in `headers`',
      'shopAPI.things.list: the cookie `sid`, which it needs: pass it in `headers`',
    ]);
    expect(declarations).toContain('// Not declared in `list`: the header field `X-Tenant`');
  });

  test('are reported for an endpoint', async () => {
    const report = { operationId: 'report', ...needs, responses: { 200: json({}) } };
    const { unfit, declarations } = await importOf(documentOf({ '/v1/report': { get: report } }));
    expect(unfit).toContain('shopAPI.report: the cookie `sid`, which it needs: pass it in `headers`');
    expect(declarations).toContain(
      '// Not declared: the header field `X-Tenant`, which it needs: pass it in `headers`.',
    );
  });
});

test('the lists of Swagger 2.0 are joined with commas, or repeated', async () => {
  const of = (name: string, collectionFormat: string) => {
    return { in: 'query', name, type: 'array', items: string, collectionFormat };
  };
  const get = { parameters: [of('b', 'csv'), of('c', 'multi')], responses: { 204: { description: '' } } };
  const info = { title: 'Shop API', version: '1' };
  const { declarations } = await importOf({ swagger: '2.0', info, paths: { '/v1/op': { get } } });
  expect(declarations).toContain("repeated: ['c']");
});

describe('a path', () => {
  test.each<[string, string]>([
    ['/v1/größe/{base}...{head}', 'v1/gr%C3%B6%C3%9Fe/a%2Fb...c'],
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

  test('without a target, and a method that no declaration has, are reported', async () => {
    const get = { operationId: 'op', responses: { 204: {} } };
    const paths = { '/v1/no': { $ref: '#/no' }, '/v1/op': { get, head: get, trace: get } };
    expect((await importOf(documentOf(paths))).unfit).toEqual([
      '/v1/no: the reference #/no has no target',
      'HEAD /v1/op: a declaration has no HEAD (§4.2)',
      'TRACE /v1/op: a declaration has no TRACE (§4.2)',
    ]);
  });
});
