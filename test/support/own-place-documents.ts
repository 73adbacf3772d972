// OpenAPI documents of APIs whose bodies have the records of each collection under a name of its own.
import { documentOf, json, objectOf, query, reference, response, type Schema } from './odd-document.ts';

const integer = { type: 'integer' };
const string = { type: 'string' };
const record = (properties: Schema, id: Schema = integer) => objectOf({ id, ...properties }, ['id']);
const arrayOf = (name: string) => ({ type: 'array', items: reference(name) });
const pages = [query('page', { ...integer, minimum: 1 }), query('per_page', { ...integer, maximum: 200 })];

/** A path of one collection: its list and, where it is sent with a body, how it is created. */
const listing = (list: Schema, created?: Schema, body?: Schema, parameters: readonly Schema[] = pages) => ({
  get: { parameters, responses: { 200: response(list) } },
  ...(created && body && { post: { requestBody: json(body), responses: { 201: response(created) } } }),
});

/** As DigitalOcean has it: bodies are bare, and a tag is found by its name. */
export const cloudDocument = (() => {
  const listOf = (items: string, name: string) =>
    objectOf({
      [items]: arrayOf(name),
      links: objectOf({ pages: objectOf({ next: string, last: string }) }),
      meta: objectOf({ total: integer }, ['total']),
    });
  const one = (item: string, name: string) => objectOf({ [item]: reference(name) }, [item]);
  const get = (item: string, name: string) => ({ get: { responses: { 200: response(one(item, name)) } } });
  return documentOf(
    {
      '/v2/account': get('account', 'Account'),
      '/v2/droplets': listing(listOf('droplets', 'Droplet'), one('droplet', 'Droplet'), {
        ...objectOf({ name: string }, ['name']),
      }),
      '/v2/droplets/{droplet_id}': get('droplet', 'Droplet'),
      '/v2/droplets/{droplet_id}/reboot': {
        post: { operationId: 'dropletsReboot', responses: { 201: response(one('droplet', 'Droplet')) } },
      },
      '/v2/images': listing(listOf('images', 'Image')),
      '/v2/images/{image_id}': {
        ...get('image', 'Image'),
        put: {
          requestBody: json(objectOf({ slug: string })),
          responses: { 200: response(one('image', 'Image')) },
        },
      },
      '/v2/account/keys': listing(listOf('ssh_keys', 'Key')),
      '/v2/account/keys/{key_id}': get('ssh_key', 'Key'),
      '/v2/actions': listing(listOf('actions', 'Action')),
    },
    {
      Account: record({ email: string }, string),
      Droplet: record({ name: string }),
      Image: record({ slug: string }),
      Key: record({ fingerprint: string }),
      Action: record({ status: string }),
    },
    { info: { title: 'cloud', version: '2' }, servers: [{ url: 'https://api.cloud.example' }] },
  );
})();

/** As Zendesk has it: a `next_page`, a `count`, and what is sent in an object too. */
export const deskDocument = (() => {
  const listOf = (items: string, name: string) =>
    objectOf({
      [items]: arrayOf(name),
      next_page: { type: ['string', 'null'], format: 'uri' },
      count: { ...integer, description: 'The total number of records.' },
    });
  const one = (item: string, name: string) => objectOf({ [item]: reference(name) });
  const paths = (items: string, item: string, name: string) => ({
    [`/api/v2/${items}`]: listing(listOf(items, name), one(item, name), one(item, name)),
    [`/api/v2/${items}/{id}`]: {
      get: { responses: { 200: response(one(item, name)) } },
      put: { requestBody: json(one(item, name)), responses: { 200: response(one(item, name)) } },
    },
  });
  const readOnly = { ...integer, readOnly: true };
  return documentOf(
    {
      ...paths('tickets', 'ticket', 'Ticket'),
      ...paths('organizations', 'organization', 'Organization'),
      ...paths('user_fields', 'user_field', 'UserField'),
      '/api/v2/brands': listing(listOf('brands', 'Brand')),
      '/api/v2/search': listing(
        objectOf({ organizations: arrayOf('Organization'), brands: arrayOf('Brand'), count: integer }),
      ),
    },
    {
      Ticket: record({ subject: string }, readOnly),
      Organization: record({ name: string }, readOnly),
      UserField: record({ key: string }, readOnly),
      Brand: record({ name: string }),
    },
    { info: { title: 'desk', version: '2' } },
  );
})();

/** As Harvest has it: lists under their names, single records bare. */
export const hoursDocument = (() => {
  const listOf = (items: string, name: string) =>
    objectOf({
      [items]: arrayOf(name),
      per_page: integer,
      page: integer,
      total_pages: integer,
      total_entries: integer,
      links: objectOf({ first: string, next: { type: ['string', 'null'] } }, ['next']),
    });
  const paths = (items: string, name: string) => ({
    [`/v2/${items}`]: listing(listOf(items, name), reference(name), objectOf({ name: string })),
    [`/v2/${items}/{id}`]: { get: { responses: { 200: response(reference(name)) } } },
  });
  return documentOf(
    { ...paths('clients', 'Customer'), ...paths('projects', 'Project') },
    { Customer: record({ name: string }), Project: record({ name: string }) },
    { info: { title: 'hours', version: '2' } },
  );
})();

/** As Ghost has it: also one record is in a list, and what is sent. */
export const blogDocument = (() => {
  const many = (items: string, name: string) => objectOf({ [items]: arrayOf(name) });
  const listOf = (items: string, name: string) =>
    objectOf({
      [items]: arrayOf(name),
      meta: objectOf({
        pagination: objectOf({ page: integer, limit: integer, pages: integer, total: integer }),
      }),
    });
  const parameters = [query('page', integer), query('limit', integer)];
  const paths = (items: string, name: string) => ({
    [`/admin/${items}`]: listing(listOf(items, name), many(items, name), many(items, name), parameters),
    [`/admin/${items}/{id}`]: { get: { responses: { 200: response(many(items, name)) } } },
  });
  return documentOf(
    { ...paths('posts', 'Post'), ...paths('members', 'Member') },
    { Post: record({ title: string }, string), Member: record({ email: string }, string) },
    { info: { title: 'blog', version: '5' } },
  );
})();

/** Lists of which most are bare and one is not, whose pages a header links; no preset is near. */
export const linkedDocument = (() => {
  const linked = (schema: Schema) => ({
    get: {
      parameters: [query('limit', integer)],
      responses: { 200: { ...response(schema), headers: { Link: {} } } },
    },
  });
  return documentOf(
    {
      '/cities': linked(arrayOf('Place')),
      '/rivers': linked(arrayOf('Place')),
      '/lakes': linked(objectOf({ lakes: arrayOf('Place') })),
    },
    { Place: record({ name: string }) },
    { info: { title: 'map', version: '1' } },
  );
})();
