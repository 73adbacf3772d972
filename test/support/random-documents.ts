import { documentOf, json, query, reference, response, type Schema } from './odd-document.ts';
import fc from './random.ts';

// Small OpenAPI documents made up at random, as people write them of APIs of several kinds, and a value for
// each of their schemas. Nothing here shares code with the import.

const string = { type: 'string' };
const integer = { type: 'integer' };

/** The schemas of fields, each with a value. */
const fields: readonly (readonly [schema: Schema, value: unknown])[] = [
  [string, 'a'],
  [{ type: 'string', format: 'date-time' }, '2026-11-01T10:00:00Z'],
  [{ type: 'string', format: 'uuid' }, '7f0c2f4e-6f0a-4b3e-9d53-0d5f6f0c2a11'],
  [{ type: 'string', minLength: 2, maxLength: 9 }, 'abc'],
  [{ type: 'integer', minimum: 1 }, 3],
  [{ type: 'number' }, 1.5],
  [{ type: 'boolean' }, true],
  [{ type: 'string', enum: ['open', 'shut'] }, 'open'],
  [{ type: ['string', 'null'] }, null],
  [{ type: 'array', items: string }, ['a', 'b']],
  [{ type: 'object', required: ['x'], properties: { x: integer, y: string } }, { x: 1 }],
  [reference('Part'), { size: 1 }],
  [
    { allOf: [reference('Part'), { type: 'object', properties: { color: string } }] },
    { size: 1, color: 'c' },
  ],
  [{ oneOf: [integer, string] }, 'one'],
  [{ type: 'object', additionalProperties: integer }, { a: 1 }],
];

const names = ['name', 'state', 'first_seen', 'x-tags', 'owner', 'Größe'];

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly isRequired: boolean;
}

const field: fc.Arbitrary<Field> = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...fields), fc.boolean())
  .map(([name, [schema, value], isRequired]) => ({ name, schema, value, isRequired }));

const someFields = fc.uniqueArray(field, { minLength: 1, maxLength: 4, selector: ({ name }) => name });

const objectOf = (all: readonly Field[], own: Schema = {}, required: readonly string[] = []) => ({
  type: 'object',
  required: [...required, ...all.filter(({ isRequired }) => isRequired).map(({ name }) => name)],
  properties: { ...own, ...Object.fromEntries(all.map(({ name, schema }) => [name, schema])) },
});

const sentOf = (all: readonly Field[]) => Object.fromEntries(all.map(({ name, value }) => [name, value]));

/** The ways in which the lists of an API have pages. */
const kinds = {
  conventions: {
    base: '/v1',
    size: 'perPage',
    wrap: (list: Schema) => list,
    headers: ['Link', 'X-Pagination-Total-Count'],
  },
  linked: { base: '', size: 'per_page', wrap: (list: Schema) => list, headers: ['Link'] },
  counted: { base: '/api', size: 'limit', wrap: (list: Schema) => list, headers: ['X-Total-Count'] },
  enveloped: {
    base: '',
    size: 'pageSize',
    wrap: (data: Schema) => ({ type: 'object', properties: { data, total: integer } }),
    headers: [],
  },
  continued: {
    base: '/api/v2',
    size: 'page_size',
    wrap: (results: Schema) => ({
      type: 'object',
      properties: { results, count: integer, next: { type: ['string', 'null'] } },
    }),
    headers: [],
  },
} as const;

/** An operation of a document, and what a call of it sends. */
export interface DrawnOperation {
  readonly method: string;
  readonly path: string;
  readonly query?: Schema;
  readonly body?: unknown;
}

export interface DrawnDocument {
  readonly document: Schema;
  readonly operations: readonly DrawnOperation[];
}

const done = { 204: { description: '' } };

/** What there may be beside the list of things. */
const parts = [
  'get',
  'create',
  'update',
  'delete',
  'action',
  'report',
  'text',
  'upload',
  'form',
  'merge',
] as const;

const drawn = fc.record({
  kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
  hasTextId: fc.boolean(),
  thing: someFields,
  asked: someFields,
  parts: fc.subarray([...parts]),
});

const toDocument = ({
  kind,
  hasTextId,
  thing,
  asked,
  parts: has,
}: typeof drawn extends fc.Arbitrary<infer T> ? T : never): DrawnDocument => {
  const { base, size, wrap, headers } = kinds[kind];
  const isConventional = kind === 'conventions';
  const id = hasTextId ? string : integer;
  const own = isConventional ? { id, self: { type: 'string', format: 'uri' } } : { id };
  const Thing = objectOf(thing, own, Object.keys(own));
  const one = response(reference('Thing'));
  const list = response(wrap({ type: 'array', items: reference('Thing') }));
  const listed = { ...list, headers: Object.fromEntries(headers.map((name) => [name, { schema: string }])) };
  const pages = [query('page', integer), query(size, { ...integer, maximum: 50 })];
  const key = { in: 'path', name: 'thing_id', required: true, schema: id };
  const body = (content: Schema) => ({ ...content, required: true });
  const changed = isConventional ? done : { 200: one };
  const sent = sentOf(thing);
  const parameters = asked.map(({ name, isRequired }) => query(name, string, { required: isRequired }));
  const asks = Object.fromEntries(asked.map(({ name }) => [name, 'a b']));
  const all: Readonly<Record<(typeof parts)[number] | 'list', readonly [DrawnOperation, Schema]>> = {
    list: [
      { method: 'get', path: '/things' },
      { parameters: pages, responses: { 200: listed } },
    ],
    get: [
      { method: 'get', path: '/things/{thing_id}' },
      { parameters: [key], responses: { 200: one } },
    ],
    create: [
      { method: 'post', path: '/things', body: sent },
      { requestBody: body(json(objectOf(thing))), responses: { 201: one } },
    ],
    update: [
      { method: 'patch', path: '/things/{thing_id}', body: sent },
      { parameters: [key], requestBody: body(json(objectOf(thing))), responses: changed },
    ],
    delete: [
      { method: 'delete', path: '/things/{thing_id}' },
      { parameters: [key], responses: done },
    ],
    action: [
      { method: 'post', path: '/things/{thing_id}/close', body: sentOf(asked) },
      { parameters: [key], requestBody: body(json(objectOf(asked))), responses: { 200: one } },
    ],
    report: [
      { method: 'get', path: '/report', query: asks },
      { parameters, responses: { 200: response(objectOf(asked)) } },
    ],
    text: [
      { method: 'get', path: '/text/{part-id}' },
      {
        parameters: [{ in: 'path', name: 'part-id', required: true, schema: string }],
        responses: { 200: { description: '', content: { 'text/plain': { schema: string } } } },
      },
    ],
    upload: [
      { method: 'put', path: '/image', body: new Blob(['x']) },
      { requestBody: body({ content: { 'image/png': {} } }), responses: done },
    ],
    form: [
      { method: 'post', path: '/search', body: new URLSearchParams('a=b') },
      {
        requestBody: body({ content: { 'application/x-www-form-urlencoded': { schema: objectOf(asked) } } }),
        responses: { 200: response({ type: 'array', items: reference('Part') }) },
      },
    ],
    merge: [
      { method: 'patch', path: '/settings', body: sentOf(asked) },
      {
        requestBody: body({ content: { 'application/merge-patch+json': { schema: objectOf(asked) } } }),
        responses: done,
      },
    ],
  };
  const chosen = (['list', ...has] as const).map((name) => all[name]);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [{ method, path }, value] of chosen)
    paths[base + path] = { ...paths[base + path], [method]: value };
  const Part = { type: 'object', required: ['size'], properties: { size: integer } };
  return {
    document: documentOf(paths, { Thing, Part }, { servers: [{ url: 'https://api.test' }] }),
    operations: chosen.map(([{ path, ...operation }]) => ({ ...operation, path: base + path })),
  };
};

export const anyDocument: fc.Arbitrary<DrawnDocument> = drawn.map(toDocument);
