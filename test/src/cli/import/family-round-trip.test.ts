import { type ApiDeclaration, endpoint, family } from 'restkin';
import { type Family, wordpress, type yii2 } from 'restkin/families';
import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readFamily } from '../../../../src/families/read-family.ts';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { declareFamily, declarePreset, otherPresets, presetNames } from '../../../support/preset-apis.ts';
import fc from '../../../support/random.ts';
import { declareEndpoints, drawnEndpoints } from '../../../support/random-endpoints.ts';
import { anyFamily } from '../../../support/random-families.ts';
import { isFullRun } from '../../../support/runs.ts';

/** An API without more than a name and a list. */
const declareSmall = (given: Family): ApiDeclaration => {
  // The types of one preset, for all of them.
  const { resource, collection, defineApi } = family(given as typeof yii2);
  const things = collection('things', resource({ name: z.string() }), { paging: true });
  const isVersioned = given.path === undefined || given.path.includes('{version}');
  return defineApi({
    name: 'small',
    auth: 'basic',
    collections: { things },
    ...(isVersioned && { version: 2 }),
  });
};

const familyIn = (api: ApiDeclaration | undefined) =>
  (api as { readonly wire?: { readonly family: object } })?.wire?.family;

describe('an exported family comes back', () => {
  test.each(presetNames)('%s, also from an API of one list', async (name) => {
    for (const api of [declareSmall(otherPresets[name]), declarePreset(name)]) {
      const imported = await importOf(toOpenApi(api));
      expect(imported.declarations).toContain(`= family(${name});`);
      expect(apisOf(imported).map(familyIn)).toEqual([familyIn(api)]);
    }
  });

  test('without a version where the API has none', async () => {
    const { declarations } = await importOf(toOpenApi(declareSmall(otherPresets.github)));
    expect(declarations).not.toContain('version');
  });

  test('with the version of the API', async () => {
    const { declarations } = await importOf(toOpenApi(declareSmall(otherPresets.gitlab)));
    expect(declarations).toContain('version: 2');
  });

  test('of 50 made up at random, with its API', { timeout: isFullRun ? 120_000 : 20_000 }, async () => {
    for (const given of fc.sample(anyFamily, { numRuns: isFullRun ? 1_000 : 50 })) {
      for (const api of [declareSmall(given), declareFamily('shop', given)]) {
        const document = toOpenApi(api);
        const imported = await importOf(document);
        const [again] = apisOf(imported);
        expect(familyIn(again)).toEqual(familyIn(api));
        expect(imported.unfit).toEqual([]);
        expect(again && toOpenApi(again)).toEqual(document);
      }
    }
  });

  const limit = { perPage: 'limit' };

  test.each<[string, NonNullable<Family['query']>, NonNullable<Family['list']>]>([
    ['a cursor', limit, { items: 'rows', next: { body: 'next', parameter: 'after' } }],
    ['a cursor alone', {}, { items: 'rows', next: { body: 'next', parameter: 'after' } }],
    ['an offset', limit, { items: 'rows', next: { offset: 'skip' }, totalCount: { body: 'total' } }],
    ['an offset alone', {}, { items: 'rows', next: { offset: 'skip' } }],
    ['links alone', limit, { next: 'link' }],
  ])('with lists that %s continues', async (_, query, list) => {
    const api = declareSmall({ path: '', query, list });
    const imported = await importOf(toOpenApi(api));
    expect(imported.declarations).toContain('{ paging: true }');
    expect(imported.unfit).toEqual([]);
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([toOpenApi(api)]);
  });

  test('as its parts, where no preset is near', async () => {
    const given = {
      path: '',
      list: { items: 'rows', next: 'number', totalCount: { body: 'total' } },
    } as const;
    const document = toOpenApi(declareSmall(given));
    expect(document['x-restkin-family']).toEqual(given);
    const { declarations, family: line } = await importOf(document);
    expect(line).toBe('Family: conventions, without its path, with another `list`, as the document says');
    expect(declarations.replace(/\s+/g, ' ')).toContain(
      "= family({ path: '', list: { items: 'rows', next: 'number', totalCount: { body: 'total' } } });",
    );
  });

  test('unless the one of the document is not valid', async () => {
    const document = { ...toOpenApi(declareSmall(otherPresets.github)), 'x-restkin-family': { path: '/' } };
    await expect(importOf(document)).rejects.toThrow(
      "x-restkin-family of the document: family: path must be a path such as 'api/v{version}'",
    );
  });
});

describe.each(presetNames)('an exported API of the preset %s, imported again', (name) => {
  const { 'x-restkin-family': _, ...document } = toOpenApi(declarePreset(name));

  test('is recognised without its family, and gives the same document', async () => {
    const imported = await importOf(document);
    expect(imported.family).toMatch(new RegExp(`^Family: ${name}, by `));
    expect(imported.imports).toContain(`import { ${name} } from 'restkin/families';`);
    expect(imported.unfit).toEqual([]);
    const again = apisOf(imported).map((api) => toOpenApi(api));
    expect(again).toEqual([toOpenApi(declarePreset(name))]);
  });

  test('has its endpoints and actions again', async () => {
    const numRuns = isFullRun ? 40 : 4;
    for (const endpoints of fc.sample(drawnEndpoints, { numRuns })) {
      const { api } = declareEndpoints(endpoints, otherPresets[name]);
      const again = apisOf(await importOf(toOpenApi(api), [], name));
      expect(again.map((one) => toOpenApi(one))).toEqual([toOpenApi(api)]);
    }
  });
});

describe('an exported API of several families', () => {
  const shared = {
    path: 'v{version}',
    query: { page: 'page', perPage: 'per_page' },
    identity: ['id'],
  } as const;
  const at = (items: string, item: string) =>
    family({
      ...shared,
      written: 'resource',
      list: { items, next: { body: 'links.next', optional: true }, totalCount: { body: 'meta.total' } },
      item,
      body: item,
    });
  const droplets = at('droplets', 'droplet');
  const byCursor = family({
    ...shared,
    query: { perPage: 'limit' },
    list: { items: 'events', next: { body: 'after', parameter: 'after' } },
    item: { read: 'event', written: '' },
  });
  const byNumber = family({ ...shared, list: { next: 'number', totalCount: { header: 'X-Total' } } });
  const Droplet = droplets.resource({ name: z.string() });
  const Image = droplets.resource({ id: z.string(), slug: z.string() });
  const options = { paging: true } as const;
  const few = {
    droplets: droplets.collection('droplets', Droplet, {
      paging: true,
      actions: { reboot: endpoint('POST', 'reboot', { response: Droplet }) },
    }),
    images: at('images', 'image').collection('images', Image, options),
    account: at('droplets', 'account').collection('account', Image, { operations: ['get'] }),
    events: byCursor.collection('events', Image, { paging: { totals: false } }),
    regions: byNumber.collection('regions', Image, options),
  };
  const many = {
    ...few,
    volumes: at('volumes', 'volume').collection('volumes', Image, options),
    domains: at('domains', 'domain').collection('domains', Image, options),
    ignored: at('data.rows', '').collection('ignored', Image, { operations: ['list'] }),
  };
  const endpoints = { latest: endpoint('GET', 'latest', { response: Droplet }) };

  test.each(Object.entries({ few, many }))('has each again, of %s', async (_, collections) => {
    const api = droplets.defineApi({ name: 'cloud', version: 2, auth: 'basic', collections, endpoints });
    const document = toOpenApi(api);
    expect(document.paths['/v2/images']?.['x-restkin-family']).toEqual({
      list: {
        items: 'images',
        next: { body: 'links.next', optional: true },
        totalCount: { body: 'meta.total' },
      },
      item: 'image',
      body: 'image',
    });
    expect(document.paths['/v2/droplets']).not.toHaveProperty('x-restkin-family');
    const imported = await importOf(document);
    expect(imported.unfit).toEqual([]);
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });

  test('has its `fields` again, without the identity that the client adds', async () => {
    const { resource, collection, defineApi } = family(wordpress);
    const Order = resource({ status: z.string(), lines: z.array(resource({ sku: z.string() })) });
    const collections = {
      orders: collection('orders', Order, { fields: ['status', 'lines.sku'] }),
      ids: collection('ids', Order, { fields: ['id'] }),
    };
    const document = toOpenApi(defineApi({ name: 'shop', version: 2, auth: 'basic', collections }));
    const imported = await importOf(document);
    const [again] = apisOf(imported);
    expect(again?.collections.orders?.options).toMatchObject({ fields: ['status', 'lines.sku'] });
    expect(again?.collections.ids?.options).toMatchObject({ fields: ['id'] });
    expect(again && toOpenApi(again)).toEqual(document);
  });

  test('has each again, of 25 made up at random', async () => {
    const drawn = fc.sample(anyFamily, { numRuns: isFullRun ? 500 : 25 });
    for (const [index, given] of drawn.entries()) {
      const { path, trailingSlash, identity, idField, impliesIdentity, unexpanded, invalid } =
        readFamily(given);
      const ofApi = { path, trailingSlash, identity, idField, impliesIdentity, unexpanded, invalid };
      const families = {
        things: given,
        others: { ...drawn.at(index - 1), ...ofApi },
        thirds: { ...given, item: 'third', body: 'third' },
      };
      const collections = Object.entries(families).map(([key, one]) => {
        // The types of one preset, for all of them.
        const { collection, resource } = family(one as typeof yii2);
        return [key, collection(key, resource({ name: z.string() }), { paging: true })];
      });
      const api = family(given as typeof yii2).defineApi({
        name: 'small',
        auth: 'basic',
        collections: Object.fromEntries(collections),
        ...(path.includes('{version}') && { version: 2 }),
      });
      const imported = await importOf(toOpenApi(api));
      expect(imported.unfit).toEqual([]);
      expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([toOpenApi(api)]);
    }
  });

  test('has those again that its schemas show, without what the export says of families', async () => {
    const { droplets: one, images } = few;
    const collections = { droplets: one, images };
    const api = droplets.defineApi({ name: 'cloud', version: 2, auth: 'basic', collections });
    const text = JSON.stringify(toOpenApi(api), (name, value) =>
      name === 'x-restkin-family' ? undefined : value,
    );
    const imported = await importOf(JSON.parse(text));
    expect(imported.unfit).toEqual([]);
    const [again] = apisOf(imported);
    const placesOf = ({ collections: of }: Pick<ApiDeclaration, 'collections'>) =>
      Object.entries(of).map(([key, collection]) => {
        const { list, item, body } = readFamily(familyIn(collection as never) as Family);
        return [key, list, item, body];
      });
    expect(again && placesOf(again)).toEqual(placesOf(api));
  });

  test('unless what a path says of its family is not valid', async () => {
    const api = droplets.defineApi({ name: 'cloud', version: 2, auth: 'basic', collections: few });
    const document = JSON.parse(JSON.stringify(toOpenApi(api)));
    document.paths['/v2/images']['x-restkin-family'] = { item: 1 };
    await expect(importOf(document)).rejects.toThrow(
      'x-restkin-family of /v2/images: family: item must be a dotted path',
    );
  });
});
