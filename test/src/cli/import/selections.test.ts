import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  list,
  query,
  reference,
  resourceOf,
  response,
  type Schema,
} from '../../../support/odd-document.ts';

// `fields` and `expand` belong to a collection, and a document has them at each operation (§4.4).

const schemas = {
  Owner: resourceOf({ name: { type: 'string' } }),
  Order: resourceOf({
    owner: reference('Owner'),
    payer: reference('Owner'),
    status: { type: 'string' },
  }),
};
const named = (name: string, ...names: readonly string[]) =>
  query(name, { type: 'string', ...(names.length > 0 && { enum: names }) });

/** The collection of a document whose list and single resource have some parameters. */
const collectionOf = async (ofList: readonly Schema[], ofOne: readonly Schema[]) => {
  const get = { parameters: ofOne, responses: { 200: response(reference('Order')) } };
  const paths = {
    '/v1/orders': list(reference('Order'), { parameters: ofList }),
    '/v1/orders/{id}': { get },
  };
  const imported = await importOf(documentOf(paths, schemas));
  const [api] = apisOf(imported);
  return { options: api?.collections.orders?.options, unfit: imported.unfit };
};

describe('what only one of the operations selects is an option of the collection', () => {
  test('`expand` of get', async () => {
    const { options, unfit } = await collectionOf([], [named('expand', 'owner')]);
    expect(options).toEqual({ operations: ['list', 'get'], expand: ['owner'] });
    expect(unfit).toEqual([
      'shopAPI.orders: `expand` of `list`, which the document does not have: leave it out of queries',
    ]);
  });

  test('`fields` of list', async () => {
    const { options, unfit } = await collectionOf([named('fields')], []);
    expect(options).toEqual({ operations: ['list', 'get'], fields: true });
    expect(unfit).toEqual([
      'shopAPI.orders: `fields` of `get`, which the document does not have: leave it out of queries',
    ]);
  });

  test('other names in each', async () => {
    const { options, unfit } = await collectionOf([named('expand', 'owner')], [named('expand', 'payer')]);
    expect(options).toEqual({ operations: ['list', 'get'], expand: ['owner', 'payer'] });
    expect(unfit).toEqual([
      'shopAPI.orders: `expand` of `list` by `payer`, which the document does not have: leave it out of queries',
      'shopAPI.orders: `expand` of `get` by `owner`, which the document does not have: leave it out of queries',
    ]);
  });

  test('names in one, and any in the other', async () => {
    const { options, unfit } = await collectionOf([named('expand', 'owner')], [named('expand')]);
    expect(options).toEqual({ operations: ['list', 'get'], expand: ['owner'] });
    expect(unfit).toEqual([]);
  });
});
