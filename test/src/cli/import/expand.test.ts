import { describe, expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  list,
  query,
  reference,
  resourceOf,
  type Schema,
} from '../../../support/odd-document.ts';

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
    expect(unfit).toEqual([
      'shopAPI.b.list: the query parameter `expand`, which names no field of the resource',
    ]);
  });
});
