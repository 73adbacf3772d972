import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  json,
  list,
  objectOf,
  resourceOf,
  response,
  type Schema,
  string,
} from '../../../support/odd-document.ts';

const thing = resourceOf({ name: { type: 'string' } });

describe('what is below one resource of a collection is an action', () => {
  const integer = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'integer' } });
  const done = { 204: { description: '' } };
  const actionsOf = async (paths: Schema) => {
    const imported = await importOf(documentOf({ '/v1/fees/{fee}/orders': list(thing), ...paths }));
    const [api] = apisOf(imported);
    return {
      actions: Object.entries(api?.collections.feeOrders?.options ?? {}).find(
        ([name]) => name === 'actions',
      )?.[1],
      endpoints: Object.keys(api?.endpoints ?? {}),
      summary: imported.summary,
    };
  };

  test('by the shape of its path, with a name below its collection', async () => {
    const { actions, endpoints, summary } = await actionsOf({
      '/v1/fees/{id}/orders/{order_id}/cancel': {
        parameters: [integer('order_id')],
        post: { operationId: 'orders/cancel', responses: done },
      },
      '/v1/fees/{id}/orders/{order}/labels/{id2}': { delete: { responses: done } },
      '/v1/fees/{id}/orders/{order}/list': { post: { operationId: 'list', responses: done } },
    });
    expect(actions).toMatchObject({
      cancel: { method: 'POST', path: 'cancel' },
      deleteLabelsId2: { method: 'DELETE', path: 'labels/:id2' },
      list2: { method: 'POST', path: 'list' },
    });
    expect(endpoints).toEqual([]);
    expect(summary).toBe('1 collection, 3 actions, 0 endpoints, 0 other operations');
  });

  test('also where it creates a resource that no list has', async () => {
    const { actions, summary } = await actionsOf({
      '/v1/fees/{id}/orders/{order}/copies': {
        post: {
          operationId: 'copyOrder',
          requestBody: json(objectOf({ name: string })),
          responses: { 201: response(thing) },
        },
      },
    });
    expect(actions).toMatchObject({ copyOrder: { method: 'POST', path: 'copies' } });
    expect(summary).toBe('1 collection, 1 action, 0 endpoints, 0 other operations');
  });

  test('also where it creates one of the collection, beside a GET of something else', async () => {
    const { actions, summary } = await actionsOf({
      '/v1/fees/{fee}/orders/{order}/approvers': {
        get: { operationId: 'approvers', responses: { 200: response(objectOf({ names: {} })) } },
        post: {
          operationId: 'askApprovers',
          requestBody: json(objectOf({ names: {} })),
          responses: { 201: response(thing) },
        },
      },
    });
    expect(actions).toMatchObject({
      approvers: { method: 'GET', path: 'approvers' },
      askApprovers: { method: 'POST', path: 'approvers' },
    });
    expect(summary).toBe('1 collection, 2 actions, 0 endpoints, 0 other operations');
  });

  test('unless its parameter is another key than the id', async () => {
    const slug = { in: 'path', name: 'slug', required: true, schema: { type: 'string' } };
    const { actions, endpoints } = await actionsOf({
      '/v1/fees/{fee}/orders/{slug}/cancel': {
        parameters: [slug],
        post: { operationId: 'cancel', responses: done },
      },
    });
    expect(actions).toBeUndefined();
    expect(endpoints).toEqual(['cancel']);
  });
});
