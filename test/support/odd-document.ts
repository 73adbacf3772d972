// OpenAPI documents to import: their parts, and one that is odd all over.

/** A part of a document. */
export type Schema = Readonly<Record<string, unknown>>;

export const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
export const response = (schema: Schema) => ({ description: '', ...json(schema) });
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const resourceOf = (properties: Schema) => ({
  type: 'object',
  required: ['id', 'self'],
  properties: { id: { type: 'integer' }, self: { type: 'string', format: 'uri' }, ...properties },
});
export const list = (item: Schema, rest: Schema = {}) => ({
  get: { operationId: 'listThings', ...rest, responses: { 200: response({ type: 'array', items: item }) } },
});
export const documentOf = (paths: Schema, schemas: Schema = {}, rest: Schema = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop API', version: '1' },
  security: [{ jwt: [] }],
  paths,
  components: { schemas, securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
  ...rest,
});
export const query = (name: string, schema: Schema, rest: Schema = {}) => ({
  in: 'query',
  name,
  schema,
  ...rest,
});

/** Names that a language, a library or a written program uses itself. */
const names = [
  ...[
    'class',
    'default',
    'new',
    'enum',
    'await',
    'arguments',
    'eval',
    'undefined',
    'NaN',
    'require',
    'exports',
  ],
  ...[
    'z',
    'client',
    'Client',
    'body',
    'query',
    'headers',
    'resource',
    'collection',
    'defineApi',
    'expandable',
  ],
  ...['Expandable', 'encodeURIComponent', 'FormData', 'URLSearchParams', 'Uint8Array', 'Promise', 'Object'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'odd', '1', 'größe', '日本語', '😀'],
];

/** What a compiler, a comment or a string literal could take for something else. */
export const evil = [
  '*/ globalThis.evil = 1 /*',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a document may hold it
  '${globalThis.evil = 1} `',
  "'; globalThis.evil = 1; //",
  '"\\',
  '\r\nglobalThis.evil = 1',
  '\u2028globalThis.evil = 1',
  'expandable(',
  '): z.core.$ZodOptional<Expandable> {',
];

/** An object that becomes no string and no number. */
const stubborn = { toString: 1, valueOf: 1 };

const own = (name: string) => ({
  post: {
    operationId: name,
    parameters: [query(name, {}), { in: 'header', name, required: true, schema: {} }],
    requestBody: json({ type: 'object', properties: Object.fromEntries([[name, { type: 'string' }]]) }),
    responses: {
      200: response({ type: 'object', properties: Object.fromEntries([[name, reference('1')]]) }),
    },
  },
});

/** A document of everything that a person would not write, and a generator or an attacker might. */
export const oddDocument = documentOf(
  {
    ...Object.fromEntries(names.map((name) => [`/v1/${name}`, list(reference(name), { operationId: name })])),
    ...Object.fromEntries(names.map((name) => [`/v1/odd/{${name}}`, own(name)])),
    '/v1/evil': list(reference('Evil'), { summary: evil.join(), description: evil.join() }),
    '/v1/nodes': list(reference('Node'), {
      parameters: [
        query('expand', { type: 'string', enum: ['parent', 'parents', 'parent.parent'] }),
        query(
          'fields',
          { type: 'array', items: { enum: ['parent.name', 'parent.parent.name'] } },
          { explode: false },
        ),
      ],
    }),
    '/v1/upload': {
      post: {
        requestBody: { content: { 'multipart/form-data': { schema: { type: 'string', format: 'binary' } } } },
        responses: { default: response({}) },
      },
    },
    '/v1/stubborn': {
      get: {
        tags: [stubborn],
        parameters: [
          query('sort', { type: 'array', items: { enum: [stubborn] } }, { explode: false }),
          stubborn,
        ],
        responses: {
          200: response({
            type: 'array',
            items: {
              type: 'object',
              required: [stubborn],
              properties: {
                id: { type: stubborn },
                self: { enum: stubborn, pattern: stubborn, minLength: stubborn },
              },
            },
          }),
        },
      },
    },
  },
  {
    ...Object.fromEntries(names.map((name) => [name, resourceOf(Object.fromEntries([[name, {}]]))])),
    Evil: {
      ...resourceOf({
        inner: {
          type: 'object',
          properties: Object.fromEntries(
            evil.map((line) => [line, { enum: evil, description: line, pattern: line }]),
          ),
        },
      }),
      description: evil.join(),
    },
    NodeReference: resourceOf({}),
    Node: resourceOf({
      name: { type: 'string' },
      parent: { oneOf: [reference('NodeReference'), reference('Node')] },
      parents: { type: 'array', items: { anyOf: [reference('Node'), reference('NodeReference')] } },
      either: { oneOf: [reference('Node'), { type: 'string' }] },
      values: { enum: Array.from({ length: 2_000 }, (_, index) => `value-${index}`) },
    }),
  },
  { info: { title: 'odd', version: stubborn }, tags: [stubborn, { name: stubborn }] },
);
