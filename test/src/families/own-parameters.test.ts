import { endpoint, family } from 'restkin';
import { directus, drf, github, jsonServer, wordpress } from 'restkin/families';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const shape = { title: z.string() };
const withParameter = (name: string) => z.object({ [name]: z.optional(z.string()) });

describe('a parameter that a client writes for a family is no own one of the collection', () => {
  test('not the name of a declared part', () => {
    const { resource, collection } = family(drf);
    const declare = (name: string, options: object) => () =>
      collection('books', resource(shape), { ...options, params: withParameter(name) });
    expect(declare('ordering', { sort: true })).toThrow(
      'collection("books"): params cannot declare "ordering", which the client writes for the family "drf"; leave it out of params',
    );
    expect(declare('page_size', { paging: true })).toThrow('params cannot declare "page_size"');
    expect(declare('ordering', { paging: true })).not.toThrow();
    expect(declare('page_size', { sort: true })).not.toThrow();
    expect(declare('status', { sort: true, paging: true })).not.toThrow();
  });

  test('not the direction to sort in', () => {
    const { resource, collection } = family(github);
    const declare = (options: object) => () =>
      collection('issues', resource(shape), { ...options, params: withParameter('direction') });
    expect(declare({ sort: ['title'] })).toThrow('params cannot declare "direction"');
    expect(declare({ paging: true })).not.toThrow();
  });

  test('not what is expanded', () => {
    const { resource, collection } = family(jsonServer);
    const options = { expand: [], params: withParameter('_expand') };
    expect(() => collection('posts', resource(shape), options)).toThrow('params cannot declare "_expand"');
  });

  test('not a parameter that each list sends', () => {
    const { resource, collection } = family(directus);
    expect(() => collection('posts', resource(shape), { params: withParameter('meta') })).toThrow(
      'params cannot declare "meta"',
    );
    const onRequest = family(jsonServer);
    const declare = () =>
      onRequest.collection('posts', onRequest.resource(shape), { params: withParameter('_page') });
    expect(declare).toThrow('params cannot declare "_page"');
  });

  test('not a cursor or an offset of pages', () => {
    const byCursor = family({
      query: {},
      list: { items: 'data', next: { body: 'next', parameter: 'after' } },
    });
    const byOffset = family({ query: {}, list: { next: { offset: 'skip' } } });
    const options = (name: string) => ({ paging: true, params: withParameter(name) }) as const;
    const cursors = () => byCursor.collection('posts', byCursor.resource(shape), options('after'));
    const offsets = () => byOffset.collection('posts', byOffset.resource(shape), options('skip'));
    expect(cursors).toThrow('params cannot declare "after"');
    expect(offsets).toThrow('params cannot declare "skip"');
  });
});

describe('an endpoint declares only what its family has a name for', () => {
  const declare = (given: typeof github | typeof wordpress, options: object) => () => {
    const { resource, defineApi } = family(given);
    const settings = endpoint('GET', 'settings', { response: resource(shape), ...options });
    return defineApi({ name: 'site', version: 1, auth: 'token', collections: {}, endpoints: { settings } });
  };

  test('a part without a name is refused', () => {
    expect(declare(github, { fields: true })).toThrow(
      'API "site": endpoint "settings": the family "github" has no `fields`; leave it out, or name query.fields in family()',
    );
    expect(declare(wordpress, { fields: true })).not.toThrow();
  });

  test('a parameter of its own that the client writes for a part is refused', () => {
    expect(declare(wordpress, { fields: true, query: withParameter('_fields') })).toThrow(
      'API "site": endpoint "settings": `query` cannot declare "_fields", which the client writes for `fields`',
    );
    expect(declare(wordpress, { query: withParameter('_fields') })).not.toThrow();
  });
});
