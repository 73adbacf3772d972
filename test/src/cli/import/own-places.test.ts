import { createClient, customAuth } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import { apisOf, type Imported, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  objectOf,
  query,
  reference,
  response,
  type Schema,
} from '../../../support/odd-document.ts';
import {
  blogDocument,
  cloudDocument,
  deskDocument,
  hoursDocument,
  linkedDocument,
} from '../../../support/own-place-documents.ts';

const integer = { type: 'integer' };
const string = { type: 'string' };
const pages = [query('page', integer), query('per_page', integer)];

const onOneLine = ({ declarations }: Imported): string =>
  declarations.replace(/\s+/g, ' ').replaceAll(', }', ' }');

describe('collections whose records are elsewhere than those of others', () => {
  test('are written with a function, where there are several', async () => {
    const imported = await importOf(cloudDocument);
    const code = onOneLine(imported);
    expect(code).toContain(
      "const base = { ...github, path: 'v{version}', list: { items: 'droplets', next: { body: 'links.pages.next', optional: true }, totalCount: { body: 'meta.total' } } } as const; const { defineApi, resource } = family(base);",
    );
    expect(code).toContain(
      "const familyAt = (items: string, item = '') => family({ ...base, list: { ...base.list, items }, item });",
    );
    expect(code).toContain(
      "droplets: familyAt('droplets', 'droplet').collection('droplets', Droplet, { paging: { maxPerPage: 200 }, operations: ['list', 'get', 'create'], bodies: { create: DropletCreate }, actions: { reboot: endpoint('POST', 'reboot', { response: Droplet }) } })",
    );
    expect(code).toContain("images: familyAt('images', 'image').collection('images', Image, {");
    expect(code).toContain("actions: familyAt('actions').collection('actions', Action, {");
    expect(code).toContain("getAccount: endpoint('GET', 'account',");
    expect(imported.unfit).toEqual([]);
    expect(imported.family).toMatch(/ in `droplets`\. Another `item`, `list` in 4 collections$/);
  });

  test('are read and written by the client as the document says', async () => {
    const [api] = apisOf(await importOf(cloudDocument));
    const droplet = { id: 7, name: 'web' };
    const sent: string[] = [];
    const fetch = async (...given: Parameters<typeof globalThis.fetch>): Promise<Response> => {
      const request = new Request(...given);
      const { pathname } = new URL(request.url);
      sent.push(`${request.method} ${pathname} ${await request.text()}`.trim());
      if (pathname.endsWith('/keys'))
        return Response.json({ ssh_keys: [{ id: 3, fingerprint: 'f' }], links: {}, meta: { total: 1 } });
      return Response.json({ droplet }, { status: request.method === 'POST' ? 201 : 200 });
    };
    const auth = { token: customAuth(() => ({ authorization: 'Bearer abcdefgh' })) };
    const made = createClient({ baseUrl: 'https://api.cloud.example', auth, fetch });
    type Call = (...given: unknown[]) => Promise<unknown> & { toArray(): Promise<unknown> };
    // What was imported has no types here.
    const client = made.api(api as never) as Readonly<Record<string, Readonly<Record<string, Call>>>>;
    expect(await client.accountKeys?.list?.().toArray()).toEqual([{ id: 3, fingerprint: 'f' }]);
    expect(await client.droplets?.get?.(7)).toEqual(droplet);
    expect(await client.droplets?.create?.({ name: 'web' })).toEqual(droplet);
    expect(await client.droplets?.reboot?.(7)).toEqual(droplet);
    expect(sent).toEqual([
      'GET /v2/account/keys',
      'GET /v2/droplets/7',
      'POST /v2/droplets {"name":"web"}',
      'POST /v2/droplets/7/reboot',
    ]);
  });

  test('have the path of what is sent too, where it is in an object', async () => {
    const imported = await importOf(deskDocument);
    const code = onOneLine(imported);
    expect(code).toContain(
      "const familyAt = (items: string, item = '') => family({ ...base, list: { ...base.list, items }, item, body: item });",
    );
    expect(code).toContain(
      "userFields: familyAt('user_fields', 'user_field').collection('user_fields', UserField, { paging: { maxPerPage: 200 }, operations: ['list', 'get', 'create', 'replace'] })",
    );
    expect(code).toContain("brands: familyAt('brands').collection('brands', Brand, {");
    // Several kinds of records are no list of one.
    expect(code).toContain("getSearch: endpoint('GET', 'search',");
    expect(imported.unfit).toEqual([]);
  });

  test('are found in a family that was chosen by its name', async () => {
    const code = onOneLine(await importOf(cloudDocument, [], 'github'));
    expect(code).toContain("images: familyAt('images', 'image').collection('images', Image, {");
  });

  test('are written with a constant, where there are few', async () => {
    const imported = await importOf(hoursDocument);
    const code = onOneLine(imported);
    expect(code).toContain(
      "const projects = family({ ...base, list: { ...base.list, items: 'projects' } });",
    );
    expect(code).toContain(
      "clients: collection('clients', Customer, { paging: { maxPerPage: 200 }, operations: ['list', 'get', 'create'] })",
    );
    expect(code).toContain(
      "projects: projects.collection('projects', Project, { paging: { maxPerPage: 200 }, operations: ['list', 'get', 'create'] })",
    );
    expect(imported.family).toMatch(/\. Another `list` in 1 collection$/);
  });

  test('have the whole list, where the family of their API leaves it out', async () => {
    const code = onOneLine(await importOf(linkedDocument));
    expect(code).toContain(
      "const base = { path: '', query: { perPage: 'limit' }, identity: ['id'] } as const; const { collection, defineApi, resource } = family(base);",
    );
    expect(code).toContain("const lakes = family({ ...base, list: { next: 'link', totalCount:");
    expect(code).toContain(
      "size: { header: 'x-pagination-page-size', optional: true }, items: 'lakes' } });",
    );
  });

  test('have no operations that send one record as a list', async () => {
    const code = onOneLine(await importOf(blogDocument));
    expect(code).toContain(
      "adminMembers: adminMembers.collection('admin/members', Member, { paging: true, operations: ['list'] })",
    );
    expect(code).toContain("getAdminMembersId: endpoint('GET', 'admin/members/:id',");
  });

  test.each(Object.entries({ cloudDocument, deskDocument, hoursDocument, blogDocument, linkedDocument }))(
    'of the %s come back from its export',
    async (_, document) => {
      const [api] = apisOf(await importOf(document));
      const securitySchemes = { jwt: { type: 'http', scheme: 'bearer' } } as const;
      const exported = api && toOpenApi(api, { securitySchemes });
      const again = apisOf(await importOf(exported));
      expect(again.map((one) => toOpenApi(one, { securitySchemes }))).toEqual([exported]);
    },
  );
});

const Thing = objectOf({ id: integer, name: string }, ['id']);
const things = { type: 'array', items: reference('Thing') };
const bare = { get: { parameters: pages, responses: { 200: response(things) } } };

/** Imports paths beside those of a usual collection. */
const importBeside = async (paths: Schema, schemas: Schema = {}) =>
  importOf(documentOf({ '/things': bare, '/others': bare, ...paths }, { Thing, ...schemas }));

describe('a response stays that of an endpoint', () => {
  test.each<[string, Schema]>([
    [
      'where it is one resource with others in it',
      { ...objectOf({ id: integer, name: string, teams: things }, ['id']) },
    ],
    ['where another resource is beside its list', objectOf({ members: things, owner: reference('Thing') })],
    ['where it has two lists', objectOf({ open: things, closed: things })],
  ])('%s', async (_, schema) => {
    const code = onOneLine(
      await importBeside({ '/team': { get: { parameters: pages, responses: { 200: response(schema) } } } }),
    );
    expect(code).toContain('= family(github);');
    expect(code).not.toContain('...github');
    expect(code).toContain("getTeam: endpoint('GET', 'team',");
  });

  test('where a list has no place for the next page beside it', async () => {
    const rows = objectOf({ rows: things, next: { type: ['string', 'null'] } }, ['next']);
    const list = { get: { parameters: pages, responses: { 200: response(rows) } } };
    const plain = { get: { responses: { 200: response(things) } } };
    const document = documentOf({ '/a': list, '/b': list, '/plain': plain }, { Thing });
    const code = onOneLine(await importOf(document));
    expect(code).toContain("list: { items: 'rows', next: { body: 'next' } } });");
    expect(code).toContain("getPlain: endpoint('GET', 'plain',");
  });

  test('where an action returns a bare resource, and its collection an object with it', async () => {
    const one = objectOf({ widget: reference('Thing') });
    const code = onOneLine(
      await importBeside({
        '/widgets/{id}': { get: { responses: { 200: response(one) } } },
        '/widgets/{id}/copy': {
          post: { operationId: 'copy', responses: { 201: response(reference('Thing')) } },
        },
      }),
    );
    expect(code).toContain("const widgets = family({ ...github, item: 'widget' });");
    expect(code).toContain("copy: endpoint('POST', 'widgets/:id/copy', { response: Thing })");
  });
});

describe('what is sent', () => {
  const post = (body: Schema, created: Schema) => ({
    post: { requestBody: json(body), responses: { 201: response(created) } },
  });

  test('may be in an object where the response is bare', async () => {
    const named = { get: { parameters: pages, responses: { 200: response(things) } } };
    const body = objectOf({ widget: objectOf({ name: string }) });
    const code = onOneLine(
      await importBeside({ '/widgets': { ...named, ...post(body, reference('Thing')) } }),
    );
    expect(code).toContain("const widgets = family({ ...github, body: 'widget' });");
    expect(code).toContain(
      "widgets: widgets.collection('widgets', Thing, { paging: true, operations: ['list', 'create'] })",
    );
  });

  test('is the parameter of a function, where that alone differs', async () => {
    const paths = ['widget', 'gadget', 'tool'].map((name) => {
      const list = { get: { parameters: pages, responses: { 200: response(things) } } };
      return [
        `/${name}s`,
        { ...list, ...post(objectOf({ [name]: objectOf({ name: string }) }), reference('Thing')) },
      ];
    });
    const code = onOneLine(await importBeside(Object.fromEntries(paths)));
    expect(code).toContain('const familyAt = (body: string) => family({ ...github, body });');
    expect(code).toContain("gadgets: familyAt('gadget').collection('gadgets', Thing,");
  });

  test('is no such object where its name is a field of the resource', async () => {
    const Address = objectOf({ id: integer, address: objectOf({ street: string }) }, ['id']);
    const list = { type: 'array', items: reference('Address') };
    const code = onOneLine(
      await importBeside(
        {
          '/addresses': {
            get: { parameters: pages, responses: { 200: response(list) } },
            ...post(objectOf({ address: objectOf({ street: string }) }), reference('Address')),
          },
        },
        { Address },
      ),
    );
    expect(code).toContain('= family(github);');
    expect(code).not.toContain('...github');
  });

  test('may be returned in an object, where what is read is bare', async () => {
    const code = onOneLine(
      await importBeside({
        '/widgets': {
          get: { parameters: pages, responses: { 200: response(things) } },
          ...post(objectOf({ name: string }), objectOf({ widget: reference('Thing') })),
        },
        '/widgets/{id}': { get: { responses: { 200: response(reference('Thing')) } } },
      }),
    );
    expect(code).toContain("family({ ...github, item: { read: '', written: 'widget' } });");
    expect(code).toContain("{ paging: true, operations: ['list', 'get', 'create'] })");
  });

  test('is that of the family, where most of its document have it', async () => {
    const one = objectOf({ data: reference('Thing') });
    const list = objectOf({ data: things, meta: objectOf({ total: integer }) });
    const paths = (name: string) => ({
      [`/api/${name}`]: {
        get: { parameters: pages, responses: { 200: response(list) } },
        ...post(objectOf({ data: objectOf({ name: string }) }), one),
      },
      [`/api/${name}/{id}`]: { get: { responses: { 200: response(one) } } },
    });
    const imported = await importOf(documentOf({ ...paths('rows'), ...paths('cells') }, { Thing }));
    const code = onOneLine(imported);
    expect(code).toContain("body: 'data' });");
    expect(code).toContain(
      "rows: collection('rows', Thing, { paging: true, operations: ['list', 'get', 'create'] })",
    );
    expect(imported.family).not.toContain('Another');
  });
});

test('a list of things without an id beside the records does not hide them', async () => {
  const errors = { type: 'array', items: objectOf({ message: string }) };
  const list = { parameters: pages, responses: { 200: response(objectOf({ rows: things, errors })) } };
  const code = onOneLine(await importBeside({ '/widgets': { get: list } }));
  expect(code).toContain("list: { ...github.list, items: 'rows' } });");
});

test('an operation that returns another resource does not decide where a collection has its own', async () => {
  const one = (name: string, item: string) => response(objectOf({ [name]: reference(item) }));
  const Receipt = objectOf({ id: integer, amount: integer }, ['id']);
  const body = json(objectOf({ name: string }));
  const imported = await importBeside(
    {
      '/widgets': {
        get: { parameters: pages, responses: { 200: response(objectOf({ widgets: things })) } },
        post: { operationId: 'buy', requestBody: body, responses: { 201: one('receipt', 'Receipt') } },
      },
      '/widgets/{id}': {
        get: { responses: { 200: one('widget', 'Thing') } },
        put: { requestBody: body, responses: { 200: one('widget', 'Thing') } },
      },
    },
    { Receipt },
  );
  const code = onOneLine(imported);
  expect(code).toContain("list: { ...github.list, items: 'widgets' }, item: 'widget' });");
  expect(code).toContain("{ paging: true, operations: ['list', 'get', 'replace'] })");
  expect(code).toContain("buy: endpoint('POST', 'widgets',");
});

test('reports what a response has beside the resource', async () => {
  const one = objectOf({ widget: reference('Thing'), password: string });
  const list = objectOf({ widgets: things });
  const imported = await importBeside({
    '/widgets': {
      get: { parameters: pages, responses: { 200: response(list) } },
      post: { requestBody: json(objectOf({ name: string })), responses: { 201: response(one) } },
    },
  });
  const reason = '`password` of its response, beside the resource';
  expect(imported.unfit).toContain(`shopAPI.widgets.create: ${reason}`);
  expect(imported.declarations).toContain(`// Not declared in \`create\`: ${reason}.`);
});

test('has a function for a bare resource, where endpoints of the family have it in an object', async () => {
  const list = objectOf({ data: things, meta: objectOf({ total: integer }) });
  const imported = await importOf(
    documentOf(
      {
        '/api/things': { get: { parameters: pages, responses: { 200: response(list) } } },
        '/api/things/{id}': { get: { responses: { 200: response(objectOf({ data: reference('Thing') })) } } },
        '/api/things/{id}/copy': {
          post: { operationId: 'copy', responses: { 201: response(reference('Thing')) } },
        },
        '/api/latest': { get: { operationId: 'latest', responses: { 200: response(reference('Thing')) } } },
        '/api/first': {
          get: { operationId: 'first', responses: { 200: response(objectOf({ data: reference('Thing') })) } },
        },
      },
      { Thing },
    ),
  );
  const reason = 'it returns a resource elsewhere than `item` of the family says';
  expect(imported.unfit).toEqual([`POST /api/things/{id}/copy: ${reason}`, `GET /api/latest: ${reason}`]);
  const code = onOneLine(imported);
  expect(code).toContain(
    "client.request({ ...options, method: 'GET', path: 'api/latest', api: shopAPI, schema: Thing })",
  );
  expect(code).toContain("first: endpoint('GET', 'first', { response: Thing })");
});
