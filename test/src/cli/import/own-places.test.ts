import { createClient, customAuth } from 'restkin';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { onOneLine } from '../../../support/imported-parts.ts';
import {
  blogDocument,
  cloudDocument,
  deskDocument,
  hoursDocument,
  linkedDocument,
} from '../../../support/own-place-documents.ts';

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
