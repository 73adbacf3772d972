import { describe, expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import { endpointOf } from '../../../support/imported-parts.ts';
import { documentOf, json, list, resourceOf, response, type Schema } from '../../../support/odd-document.ts';

// Each part of an operation is declared, typed loosely with a line of the report, or refused with a line:
// none is lost in silence.

const string = { type: 'string' };
const binary = { type: 'string', format: 'binary' };
const object = { type: 'object', properties: { a: string } };
const contentOf = (type: string, schema: Schema) => ({ content: { [type]: { schema } } });

const thing = resourceOf({ name: { type: 'string' } });

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
    ['text/json', { 200: contentOf('text/json', object) }, "response: OpResponse, accept: 'text/json'", []],
    [
      'another form of JSON',
      {
        200: { content: { ...contentOf('application/vnd.x+json', string).content, ...json(object).content } },
      },
      'response: OpResponse',
      ['its response as application/vnd.x+json'],
    ],
    [
      'the same value in another form of JSON',
      { 200: { content: { ...contentOf('text/json', object).content, ...json(object).content } } },
      'response: OpResponse',
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
      'in two types of the same schema',
      { 200: { content: { ...contentOf('text/html', object).content, ...json(object).content } } },
      'response: OpResponse',
      [],
    ],
    [
      'without a status',
      { default: response(object) },
      undefined,
      ['its response `default`, because no status says that it is a success'],
    ],
    [
      'behind a reference without a target',
      { 200: { $ref: '#/components/responses/No' } },
      undefined,
      ['the reference #/components/responses/No has no target'],
    ],
    [
      'of a redirect',
      { 204: {}, 301: response(object), 304: response(object) },
      undefined,
      ['a redirect (301), which the client refuses'],
    ],
    [
      'of nothing but a redirect',
      { 302: response(object) },
      undefined,
      ['a redirect (302), which the client refuses'],
    ],
    [
      '202 beside one without a body',
      { 202: response(object), 205: {} },
      'accepts: true',
      ['the body of its response 202: `client.request` returns it'],
    ],
    [
      '202 beside text',
      { 200: contentOf('text/plain', string), 202: response(object) },
      "accept: 'text/plain', as: 'text', accepts: true",
      [],
    ],
    [
      '202 alone',
      { 202: contentOf('application/vnd.x+json', object) },
      "accept: 'application/vnd.x+json', accepts: true",
      ['the body of its response 202: `client.request` returns it'],
    ],
    ['202 alone, without a body', { 202: {} }, 'accepts: true', []],
    [
      'that may have no body',
      { 200: response(object), 204: {} },
      'response: OpResponse',
      ['its response 204 without a body, which is an UnexpectedResponseError'],
    ],
  ])('%s', async (_, responses, options, unfit) => {
    expect(await endpointOf('get', { responses })).toMatchObject({ options, unfit });
  });
});

test('a response behind an anchor is reported', async () => {
  const { unfit } = await endpointOf('get', { responses: { 200: { $ref: '#no' } } });
  expect(unfit).toEqual([expect.stringMatching(/^the reference #\S+ has no target$/)]);
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
      'of JSON as text',
      'post',
      contentOf('text/json; charset=utf-8', object),
      "body: OpBody, contentType: 'text/json'",
      [],
    ],
    [
      'of other JSON in front of the usual one',
      'patch',
      {
        content: {
          ...contentOf('application/json-patch+json', { type: 'array' }).content,
          ...json(object).content,
        },
      },
      'body: OpBody',
      ['its request body as application/json-patch+json'],
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
    [
      'of DELETE',
      'delete',
      json(object),
      undefined,
      ['its request body, because DELETE has none (§4.2): `client.fetch` sends one'],
    ],
  ])('%s', async (_, method, body, options, unfit) => {
    const requestBody = { ...body, required: true };
    expect(await endpointOf(method, { requestBody })).toMatchObject({ options, unfit });
  });
});

test.each<[string, Schema, string]>([
  ['that need not be there', { ...json({ type: 'string' }), required: false }, 'z.optional(ReportBody)'],
  ['with no field that is required', json({ properties: { a: {} } }), 'z.optional(ReportBody)'],
  ['with a field that is required', json(thing), 'ReportBody'],
  ['that must be there', { ...json({ properties: { a: {} } }), required: true }, 'ReportBody'],
])('a request body %s', async (_, requestBody, code) => {
  const report = { post: { operationId: 'report', requestBody, responses: {} } };
  const { declarations } = await importOf(documentOf({ '/v1/report': report }));
  expect(declarations).toContain(`report: endpoint('POST', 'report', { body: ${code} })`);
});

test('a second response with other JSON is reported, and a 202 that is declared is not', async () => {
  const other = response({ type: 'string' });
  const report = {
    operationId: 'report',
    responses: { 200: response(thing), 201: other, 202: other, 203: response(thing) },
  };
  const { unfit } = await importOf(documentOf({ '/v1/report': { post: report } }));
  expect(unfit).toEqual(['shopAPI.report: the JSON of its response 201, which differs from that of 200']);
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
    "z.nullable(openEnum(['', 'it\\'s', 'a\\nb', '*/']))",
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

test('the body of a 202 is read by a function, which is no endpoint', async () => {
  const paths = {
    '/v2/things': list(thing),
    '/v1/report': { post: { operationId: 'report', responses: { 202: response(thing), 204: {} } } },
  };
  const { declarations, unfit } = await importOf(documentOf(paths));
  expect(declarations).toContain('schema: ReportResponse');
  expect(unfit).toEqual(['POST /v1/report: its path has another major version (§9)']);
});
