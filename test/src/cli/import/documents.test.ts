import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  oddDocument,
  query,
  reference,
  resourceOf,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

const thingsOf = (item: Schema, schemas: Schema = {}) => documentOf({ '/v1/things': list(item) }, schemas);

describe('a document that a person wrote', () => {
  const yaml = `
openapi: 3.0.3
info: { title: Shop, version: 1.2.0 }
servers: [{ url: https://api.example.com/v2 }]
security: [{ jwt: [] }]
paths:
  /orders:
    get:
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: perPage, in: query, schema: { type: integer, maximum: 100 } }
        - { name: sort, in: query, schema: { type: string } }
        - { name: expand, in: query, schema: { type: string, enum: [company] } }
        - { name: status, in: query, schema: { $ref: '#/components/schemas/Status' } }
      responses:
        '200':
          description: The orders.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } } }
      responses:
        '201': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
        '202': { description: '' }
  /orders/{orderId}:
    delete: { responses: { '204': { description: '' } } }
  /companies/{companyId}:
    get:
      responses:
        '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Company' } } } }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Company' } } } }
      responses: { '204': { description: '' } }
components:
  securitySchemes: { jwt: { $ref: '#/components/securitySchemes/own' }, own: { type: http, scheme: bearer } }
  schemas:
    Status: { type: string, enum: [open, shipped] }
    Kind: { type: string, nullable: true, enum: [home, work] }
    Address: { type: object, required: [street], properties: { street: { type: string }, city: { type: string, nullable: true }, kind: { $ref: '#/components/schemas/Kind' } } }
    CompanyLink: { type: object, properties: { id: { type: integer }, self: { type: string, format: uri } } }
    Company:
      required: [id, self, name, address]
      properties:
        id: { type: integer, readOnly: true }
        self: { type: string, format: uri, readOnly: true }
        name: { type: string, minLength: 1 }
        address: { $ref: '#/components/schemas/Address' }
    Order:
      description: Something that a company orders.
      required: [id, self, status, company, total]
      properties:
        id: { type: integer }
        self: { type: string, format: uri }
        status: { $ref: '#/components/schemas/Status' }
        total: { type: number, minimum: 0, exclusiveMinimum: true, description: In euros. }
        shipTo: { $ref: '#/components/schemas/Address' }
        company: { $ref: '#/components/schemas/CompanyLink' }
        parent: { $ref: '#/components/schemas/OrderLink' }
    OrderLink: { type: object, properties: { id: { type: integer }, self: { type: string, format: uri } } }
    NewOrder: { type: object, required: [company], properties: { company: { type: integer } } }
`;

  /** What is written for each feature of the document, in the order of the declaration. */
  const features: readonly (readonly [feature: string, code: string])[] = [
    ['an enum is a z.enum', "export const Status = z.enum(['open', 'shipped']);"],
    ['a nullable enum is nullable', "export const Kind = z.nullable(z.enum(['home', 'work']));"],
    ['an object without id is a z.object', 'export const Address = z.object({'],
    ['a required field is required', 'street: z.string(),'],
    ['any other field is optional, also a nullable one', 'city: z.optional(z.nullable(z.string())),'],
    ['a reference is the name of its schema', 'kind: z.optional(Kind)'],
    ['', '});'],
    ['an object with id and self is a resource, without them', 'export const Company = resource({'],
    ['the least length of a string stays', 'name: z.string().min(1),'],
    ['a required reference is required', 'address: Address'],
    ['', '});'],
    ['a resource that refers to others comes after them', 'export const Order = resource({'],
    ['a required reference to an enum is required', 'status: Status,'],
    ['an exclusive minimum of OpenAPI 3.0 is exclusive', 'total: z.number().gt(0),'],
    ['an optional reference is optional', 'shipTo: z.optional(Address),'],
    ['a field that `expand` lists is the resource whose link it is', 'company: expandable(Company),'],
    [
      'a link to the resource itself is a getter with its type',
      'get parent(): z.core.$ZodOptional<Expandable> { return z.optional(expandable(Order)); },',
    ],
    ['', '});'],
    ['the body of a POST is declared', 'export const NewOrder = z.object({ company: z.int() });'],
    ['the API has the title of the document', "export const shop = defineApi({ name: 'Shop',"],
    ['the version is that of the server URL, not that of the document', 'version: 2,'],
    ['a bearer scheme behind a reference is token', "auth: 'token',"],
    [
      'the paths of a list and of its resources are one collection',
      "collections: { orders: collection('orders', Order, {",
    ],
    ['a parameter `sort` without names sorts by all', 'sort: true,'],
    ['the names of `expand` stay', "expand: ['company'],"],
    ['`page` and `perPage` with a maximum are paging', 'paging: { maxPerPage: 100 },'],
    ['what the paths lack is no operation', "operations: ['list', 'create', 'delete'],"],
    ['a POST with 202 may be accepted', "accepts: ['create'],"],
    ['any other parameter is one of params', 'params: z.object({ status: z.optional(Status) }),'],
    ['a POST with another schema has a body of its own', 'bodies: { create: NewOrder }, }),'],
    [
      'a PUT with the schema of its resource has none, and a path without a list is a collection',
      "companies: collection('companies', Company, { operations: ['get', 'replace'] }),",
    ],
    ['', '}, });'],
  ];
  const onOneLine = (code: string): string => code.replace(/\s+/g, ' ');

  test.each(features.filter(([feature]) => feature !== ''))('%s', async (_, code) => {
    const { declarations } = await importOf(yaml);
    expect(onOneLine(declarations)).toContain(code);
  });

  test('nothing else is written', async () => {
    const { declarations, unfit } = await importOf(yaml);
    expect(unfit).toEqual([]);
    const compact = (code: string): string => code.replace(/\s+/g, '');
    expect(compact(declarations)).toBe(compact(features.map(([, code]) => code).join('')));
  });

  test('the imports are those of the code, which runs', async () => {
    const imported = await importOf(yaml);
    expect(imported.imports.split('\n')).toEqual([
      "import { type Expandable, collection, defineApi, expandable, resource } from 'restkin';",
      "import * as z from 'zod';",
    ]);
    expect(apisOf(imported)).toHaveLength(1);
  });

  test('a statement that does not fit a line has a line for each part, and a blank line before it', async () => {
    const { declarations } = await importOf(yaml);
    expect(declarations).toContain(`

export const Order = resource({
  status: Status,
  total: z.number().gt(0),
  shipTo: z.optional(Address),
  company: expandable(Company),
  get parent(): z.core.$ZodOptional<Expandable> {
    return z.optional(expandable(Order));
  },
});

export const NewOrder = z.object({ company: z.int() });

export const shop = defineApi({
  name: 'Shop',
  version: 2,
  auth: 'token',
  collections: {
    orders: collection('orders', Order, {
      sort: true,
      expand: ['company'],
      paging: { maxPerPage: 100 },
      operations: ['list', 'create', 'delete'],
      accepts: ['create'],
      params: z.object({ status: z.optional(Status) }),
      bodies: { create: NewOrder },
    }),
    companies: collection('companies', Company, { operations: ['get', 'replace'] }),
  },
});`);
  });
});

describe('what does not fit the conventions', () => {
  const patch = { content: { 'application/merge-patch+json': {} } };
  test.each<[string, Schema, string, string]>([
    [
      'a list in an envelope',
      documentOf({
        '/v1/things': { get: { responses: { 200: response({ properties: { data: { type: 'array' } } }) } } },
      }),
      'its response is not a list',
      "getV1Things: endpoint('GET', 'things', { response: GetV1ThingsResponse })",
    ],
    [
      'a POST that responds with 200',
      documentOf({
        '/v1/things': {
          post: { requestBody: json(resourceOf({})), responses: { 200: response(resourceOf({})) } },
        },
      }),
      'it responds with 200 instead of 201 or 202 (§4.2)',
      "endpoint('POST', 'things', { body: PostV1ThingsBody, response: PostV1ThingsResponse })",
    ],
    [
      'a PATCH of another type than JSON',
      documentOf({ '/v1/things/{id}': { patch: { requestBody: patch, responses: { 204: {} } } } }),
      'its request body is application/merge-patch+json (§4.3)',
      "body: PatchV1ThingsIdBody, contentType: 'application/merge-patch+json'",
    ],
  ])('%s is an endpoint, with the reason', async (_, document, reason, code) => {
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(imported.declarations).toContain(`// Not part of a collection: ${reason}`);
    expect(imported.declarations.replace(/\s+/g, ' ')).toContain(code);
    expect(apisOf(imported)).toHaveLength(1);
  });

  test('an operation on another server is a comment', async () => {
    const paths = { '/v1/things': { ...list({}), servers: [{ url: 'https://other.test' }] } };
    const { declarations } = await importOf(documentOf(paths));
    expect(declarations).toMatch(/^\/\/ GET \/v1\/\S+ is not declared: .*on another server/);
  });

  test('an `id` is always returned (§2.1), although the document does not require it', async () => {
    const thing = { type: 'object', properties: { id: { type: ['string', 'null'] }, self: {} } };
    const { declarations } = await importOf(documentOf({ '/v1/things': list(thing) }));
    expect(declarations).toContain('id: z.string()');
  });

  test('a parameter that the client does not write is a comment, and a name that the resource lacks is left out', async () => {
    const parameters = [
      query('sort', { type: 'array', items: { enum: ['name', '-name', 'other'] } }, { explode: false }),
      query('page', { type: 'integer' }),
      query('fields', { type: 'array', items: { enum: ['other'] } }, { explode: false }),
      query('pipes', { type: 'array', items: {} }, { explode: false, style: 'pipeDelimited' }),
      query('filter', { type: 'object' }),
      { in: 'query', name: 'json', ...json({ type: 'string' }) },
      query('both', { allOf: [{ type: 'string' }, { minLength: 2 }] }),
    ];
    const thing = resourceOf({ name: { type: 'string' } });
    const { declarations, unfit } = await importOf(documentOf({ '/v1/things': list(thing, { parameters }) }));
    const expected = "sort: ['name'], paging: true, operations: ['list'], params: z.object({ both: ";
    expect(declarations.replace(/\s+/g, ' ')).toContain(expected);
    expect(unfit).toEqual([
      'shopAPI.things: the query parameter `pipes`',
      'shopAPI.things: the query parameter `filter`',
      'shopAPI.things: the query parameter `json`',
      'shopAPI.things: the query parameter `fields`, which names no field of the resource',
      'shopAPI.things: `sort` by `other`, which is no field of the resource',
      'shopAPI.things: `perPage`, which the document does not have: leave it out of queries',
    ]);
  });

  test('an endpoint that takes another scheme is no part of the API', async () => {
    const others = list(resourceOf({}), { security: [{ key: [] }] });
    const paths = { '/v1/things': list(resourceOf({})), '/v1/others': others };
    const { declarations } = await importOf(documentOf(paths));
    expect(declarations).toContain('it takes key, and others take token (§5)');
    expect(declarations).not.toContain("collection('others'");
  });
});

describe('a part that a person would write in another way', () => {
  const cat = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: {} } };
  const dog = { ...cat, properties: { kind: { type: 'string' }, bark: {} } };
  const either = { oneOf: [reference('Cat'), reference('Dog')] };
  const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };

  test.each<[string, Schema, string]>([
    [
      'a list of a fixed length',
      { type: 'array', items: {}, minItems: 3, maxItems: 3 },
      'z.array(z.unknown()).min(3).max(3)',
    ],
    [
      'a record of named keys',
      { type: 'object', propertyNames: reference('Key') },
      'z.partialRecord(Key, z.unknown())',
    ],
    ['options of which a value may fit several', { anyOf: either.oneOf }, 'z.union([Cat, Dog])'],
    [
      'options that a field tells apart',
      { ...either, discriminator: { propertyName: 'kind', mapping } },
      "z.discriminatedUnion('kind', [ z.looseObject({ kind: z.literal('cat'), lives: z.optional(z.unknown()) }), " +
        "z.looseObject({ kind: z.literal('dog'), bark: z.optional(z.unknown()) }), ])",
    ],
  ])('%s', async (_, schema, code) => {
    const imported = await importOf(
      thingsOf(resourceOf({ a: schema }), { Cat: cat, Dog: dog, Key: { enum: ['x', 'y'] } }),
    );
    expect(imported.declarations.replace(/\s+/g, ' ')).toContain(`a: z.optional(${code}`);
    expect(apisOf(imported)).toHaveLength(1);
  });

  test('an option of `anyOf` keeps the fields of the others', async () => {
    const item = resourceOf({ a: { anyOf: either.oneOf } });
    const { declarations } = await importOf(thingsOf(item, { Cat: cat, Dog: dog }));
    expect(declarations).toContain('Cat = z.looseObject(');
  });

  test('a bulk request of exactly some items keeps its limit', async () => {
    const thing = resourceOf({ name: { type: 'string' } });
    const body = { type: 'object', properties: { name: { type: 'string' } } };
    const many = { type: 'array', items: body, minItems: 5, maxItems: 5 };
    const post = { requestBody: json({ anyOf: [body, many] }), responses: { 201: response(thing) } };
    const { declarations } = await importOf(documentOf({ '/v1/things': { post } }));
    expect(declarations).toContain('bulk: { maxItems: 5 }');
  });

  test('a body over a read-only base has the other fields', async () => {
    const base = { type: 'object', properties: { at: { type: 'string', readOnly: true } } };
    const body = { allOf: [reference('Base'), { type: 'object', properties: { name: { type: 'string' } } }] };
    const post = { requestBody: json(body), responses: { 201: response(resourceOf({})) } };
    const { declarations } = await importOf(documentOf({ '/v1/things': { post } }, { Base: base }));
    expect(declarations).toContain('ThingCreate = z.object({ name: z.optional(z.string()) });');
  });

  test('a whole resource that `expand` names is expandable', async () => {
    const parameters = [query('expand', { type: 'string', enum: ['owner'] })];
    const order = resourceOf({ owner: reference('Owner') });
    const owner = resourceOf({ name: { type: 'string' } });
    const { declarations } = await importOf(
      documentOf({ '/v1/orders': list(order, { parameters }) }, { Owner: owner }),
    );
    expect(declarations).toContain('owner: z.optional(expandable(Owner))');
    expect(declarations).toContain("expand: ['owner']");
  });

  test('a path with another key than the `id` is an endpoint, and no name of a global is taken', async () => {
    const parameters = [{ in: 'path', name: 'cli', required: true, schema: { type: 'string' } }];
    const numbers = reference('Number');
    const imported = await importOf(
      documentOf(
        {
          '/v2/numbers': list(numbers),
          '/v2/numbers/{cli}': { get: { parameters, responses: { 200: response(numbers) } } },
        },
        { Number: resourceOf({}) },
      ),
    );
    expect(imported.declarations).toContain("collection('numbers', Number2, { operations: ['list'] })");
    expect(imported.declarations).toContain(
      '// Not part of a collection: its path has `{cli}`, which is not the `id` of the resource.',
    );
    expect(imported.declarations).toContain("endpoint('GET', 'numbers/:cli', { response: Number2 })");
    expect(imported.unfit).toEqual([]);
  });

  test('what is deprecated, callbacks and webhooks are reported', async () => {
    const things = list(resourceOf({}), { deprecated: true, callbacks: { done: {} } });
    const { unfit } = await importOf(documentOf({ '/v1/things': things }, {}, { webhooks: { changed: {} } }));
    expect(unfit).toEqual([
      'shopAPI.things: list: the document calls it deprecated',
      'shopAPI.things: list: callbacks: requests of the server to you are no part of a client',
      'webhook changed: requests of the server to you are no part of a client',
    ]);
  });
});

test.each<[string, Schema, string]>([
  [
    'parts of allOf',
    { allOf: [{ oneOf: [reference('CompanyLink'), { allOf: [reference('Company')] }] }] },
    'expandable(Company)',
  ],
  [
    'a list with null',
    { type: 'array', items: { anyOf: [{ type: 'null' }, reference('CompanyLink'), reference('Company')] } },
    'z.array(z.nullable(expandable(Company)))',
  ],
])('a resource or its reference is expandable: %s', async (_, company, code) => {
  const parameters = [query('expand', { type: 'string', enum: ['company'] })];
  const schemas = {
    Order: resourceOf({ company }),
    Company: resourceOf({ name: { type: 'string' } }),
    CompanyLink: resourceOf({}),
  };
  const { unfit, declarations } = await importOf(
    documentOf({ '/v1/orders': list(reference('Order'), { parameters }) }, schemas),
  );
  expect(unfit).toEqual([]);
  expect(declarations).toContain("expand: ['company']");
  expect(declarations).toContain(`company: z.optional(${code})`);
});

describe('a hostile document', () => {
  test('of odd names becomes a program that runs', async () => {
    const imported = await importOf(oddDocument);
    expect(evaluate(imported)).toHaveProperty('odd.collections.nodes');
    const parent = 'get parent(): z.core.$ZodOptional<z.core.$ZodNullable<Expandable>> {';
    expect(imported.declarations).toContain(parent);
    expect(imported.unfit.join('\n')).toContain('`expand` of `parent.parent`');
  });

  test('with credentials in the URL of its server does not have them in the report', async () => {
    const { summary, unfit, declarations } = await importOf(
      documentOf(
        { '/v1/things': { ...list(resourceOf({})), servers: [{ url: 'https://eve:s3cret@other.test' }] } },
        {},
        { servers: [{ url: 'https://ada:s3cret@api.example.com/' }] },
      ),
    );
    expect(summary).toMatch(/base URL https:\/\/api.example.com$/);
    expect([summary, ...unfit, declarations].join()).not.toContain('s3cret');
  });

  test('cannot write code', async () => {
    const evil =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a document may hold it
      "'; globalThis.evil = 1; //` ${globalThis.evil = 1} */ globalThis.evil = 1 /*\u2028globalThis.evil = 1\n";
    const schema = {
      ...resourceOf({
        [evil]: { type: 'string', description: evil, enum: [evil] },
        ['__proto__']: { type: 'string' },
      }),
      description: evil,
    };
    const document = documentOf(
      {
        '/v1/things': list(reference('Evil'), { operationId: evil, summary: evil }),
        [`/v1/${evil}`]: list({}, { operationId: evil }),
        '/v1/reports': {
          get: { operationId: evil, summary: evil, responses: { 200: { content: { [evil]: {} } } } },
        },
      },
      { Evil: schema },
      { info: { title: evil, version: evil }, security: [{ [evil]: [] }] },
    );
    const imported = await importOf(document);
    const exported = evaluate(imported);
    expect(globalThis).not.toHaveProperty('evil');
    const [api] = apisOf(imported);
    const fields = api?.collections.things?.resource._zod.def as unknown as { readonly shape: object };
    expect(Object.keys(fields.shape)).toContain('__proto__');
    expect(Object.keys(exported).length).toBeGreaterThan(1);
    expect(imported.declarations).toContain('is not declared: `client.request` takes no such path.');
  });

  test('that is made of itself ends', async () => {
    const schemas = {
      A: reference('B'),
      B: reference('A'),
      C: { allOf: [reference('C')] },
      D: { type: 'array', items: reference('D') },
      E: { anyOf: [{ type: 'string' }, { additionalProperties: reference('E') }] },
      F: resourceOf({
        f: reference('F'),
        other: { allOf: [reference('F'), { properties: { g: reference('D') } }] },
      }),
    };
    const fields = Object.fromEntries(
      Object.keys(schemas).map((name) => [name.toLowerCase(), reference(name)]),
    );
    const imported = await importOf(thingsOf(resourceOf(fields), schemas));
    expect(apisOf(imported)).toHaveLength(1);
    expect(imported.declarations).toContain('export const C = z.unknown();');
  });

  test.each<[string, unknown, string]>([
    ['of another format', 'hello', 'does not contain an object'],
    ['of another version', { openapi: '4.0.0' }, 'must be OpenAPI 2.0, 3.0 or 3.1'],
    ['of nothing', {}, 'with its version in quotation marks'],
  ])('that is %s is refused', async (_, document, message) => {
    await expect(importOf(document)).rejects.toThrow(message);
  });
});

describe('an `expand` without names', () => {
  const owner = resourceOf({ name: { type: 'string' } });
  const order = resourceOf({ owner: reference('Owner') });
  const named = list(reference('Order'), {
    parameters: [query('expand', { type: 'string', enum: ['owner'] })],
  });
  const open = list(reference('Order'), { parameters: [query('expand', { type: 'string' })] });

  test.each([
    ['before', { '/v1/a': named, '/v1/b': open }],
    ['after', { '/v1/b': open, '/v1/a': named }],
  ])('has what another collection of the resource names %s it', async (_, paths) => {
    const { declarations, unfit } = await importOf(documentOf(paths, { Order: order, Owner: owner }));
    expect(declarations.match(/expand: \['owner'\]/g)).toHaveLength(2);
    expect(unfit).toEqual([]);
  });

  test('is reported where nothing can be expanded', async () => {
    const { declarations, unfit } = await importOf(
      documentOf({ '/v1/b': open }, { Order: order, Owner: owner }),
    );
    expect(declarations).not.toContain('expand:');
    expect(unfit).toEqual(['shopAPI.b: the query parameter `expand`, which names no field of the resource']);
  });
});

test('the operations of a document without versions are the endpoints of a family without a version', async () => {
  const parameters = [{ in: 'path', name: 'query', required: true, schema: { type: 'string' } }];
  const audio = { get: { operationId: 'audio', responses: { 200: { content: { 'audio/wav': {} } } } } };
  const cancel = { post: { operationId: 'cancel', parameters, responses: { 202: {} } } };
  const form = { content: { 'multipart/form-data': {} } };
  const upload = { post: { operationId: 'upload', requestBody: form, responses: { 204: {} } } };
  const imported = await importOf(
    documentOf({
      '/audio': audio,
      '/orders/{query}/cancel': cancel,
      '/files': upload,
      '/files/{a}.{b}': audio,
    }),
  );
  const code = imported.declarations.replace(/\s+/g, ' ');
  expect(code).toContain("family({ path: '' }).defineApi({");
  expect(code).toContain("audio: endpoint('GET', 'audio', { accept: 'audio/wav', as: 'bytes' })");
  expect(code).toContain("cancel: endpoint('POST', 'orders/:queryValue/cancel', { accepts: true })");
  expect(code).toContain("upload: endpoint('POST', 'files', { body: z.instanceof(FormData) })");
  // A path that an endpoint cannot have.
  expect(code).toContain('audio = (client: Client, ');
  expect(imported.summary).toBe('0 collections, 3 endpoints, 1 other operation');
  expect(apisOf(imported)).toHaveLength(1);
});
