// OpenAPI documents to import: their parts, and one of odd names.

/** A part of a document. */
export type Schema = Readonly<Record<string, unknown>>;

export const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
export const response = (schema: Schema) => ({ description: '', ...json(schema) });
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const string = { type: 'string' };
export const objectOf = (properties: Schema, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
/** Schemas of components that others are made of. */
export const animals = {
  Base: objectOf({ name: string }, ['name']),
  Cat: objectOf({ lives: { type: 'integer' } }, ['lives']),
  Dog: objectOf({ bark: string }),
};
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
const names = (
  'class default new enum await arguments eval undefined NaN require exports z client Client body query headers resource ' +
  'collection defineApi expandable Expandable encodeURIComponent FormData Promise Object __proto__ constructor toString ' +
  'hasOwnProperty then odd 1 größe 日本語 😀'
).split(' ');

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

/** A document whose names are odd, and whose resources refer to themselves. */
export const oddDocument = documentOf(
  {
    ...Object.fromEntries(names.map((name) => [`/v1/${name}`, list(reference(name), { operationId: name })])),
    ...Object.fromEntries(names.map((name) => [`/v1/odd/{${name}}`, own(name)])),
    '/v1/nodes': list(reference('Node'), {
      parameters: [query('expand', { type: 'string', enum: ['parent', 'parents', 'parent.parent'] })],
    }),
  },
  {
    ...Object.fromEntries(names.map((name) => [name, resourceOf(Object.fromEntries([[name, {}]]))])),
    NodeReference: resourceOf({}),
    Node: resourceOf({
      name: { type: 'string' },
      parent: { oneOf: [reference('NodeReference'), reference('Node'), { type: 'null' }] },
      parents: { type: 'array', items: { anyOf: [reference('Node'), reference('NodeReference')] } },
    }),
  },
  { info: { title: 'odd', version: '1' } },
);
