import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';

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
    [
      'an enum of a response is open: a release may add a value',
      "export const Status = openEnum(['open', 'shipped']);",
    ],
    ['a nullable enum is nullable', "export const Kind = z.nullable(openEnum(['home', 'work']));"],
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
    [
      'a parameter takes the values of the document alone',
      "export const StatusBody = z.enum(['open', 'shipped']);",
    ],
    ['the body of a POST is declared', 'export const NewOrder = z.object({ company: z.int() });'],
    [
      'a comment makes the client of a token that a user has',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: printed code has it
      "// Its client: createClient({ baseUrl: 'https://api.example.com', auth: { token: customAuth(() => ({ authorization: `Bearer ${token}` })) } }).",
    ],
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
    ['any other parameter is one of params', 'params: z.object({ status: z.optional(StatusBody) }),'],
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
      "import { type Expandable, collection, defineApi, expandable, openEnum, resource } from 'restkin';",
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

export const StatusBody = z.enum(['open', 'shipped']);

export const NewOrder = z.object({ company: z.int() });
`);
    expect(declarations).toContain(`
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
      params: z.object({ status: z.optional(StatusBody) }),
      bodies: { create: NewOrder },
    }),
    companies: collection('companies', Company, { operations: ['get', 'replace'] }),
  },
});`);
  });
});
