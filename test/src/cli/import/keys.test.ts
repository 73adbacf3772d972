import type { ApiDeclaration } from 'restkin';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { documentOf, json, list, response, type Schema } from '../../../support/odd-document.ts';

const integer = { type: 'integer' };
const string = { type: 'string' };

/** A document of a list, and of one of its resources below a path parameter. */
const keyed = async (name: string, type: Schema | undefined, properties: Schema, others: Schema = {}) => {
  const record = { type: 'object', required: ['id'], properties: { id: integer, ...properties } };
  const one = {
    parameters: [{ in: 'path', name, required: true, ...(type && { schema: type }) }],
    get: { responses: { 200: response(record) } },
    delete: { responses: { 204: { description: '' } } },
  };
  const paths = { '/v1/things': list(record), [`/v1/things/{${name}}`]: one, ...others };
  const imported = await importOf(documentOf(paths));
  const [api] = apisOf(imported);
  return { ...imported, api };
};
const optionsOf = (api: ApiDeclaration | undefined) =>
  api?.collections.things?.options as { key?: string; operations?: string[]; actions?: object } | undefined;

describe('the field in the path of one resource', () => {
  test.each<[string, Schema, Schema, string]>([
    ['login', string, { login: string }, 'login'],
    ['username', string, { username: string }, 'username'],
    ['slug', string, { slug: { type: ['string', 'null'] } }, 'slug'],
    ['iid', integer, { iid: integer }, 'iid'],
    ['issue_number', integer, { number: integer }, 'number'],
    ['issueNumber', integer, { number: integer }, 'number'],
    ['merge_request_iid', integer, { iid: integer }, 'iid'],
    ['thing-slug', string, { slug: string }, 'slug'],
    ['full_name', string, { name: string, full_name: string }, 'full_name'],
    ['thing_full_name', string, { name: string, full_name: string }, 'full_name'],
    ['user_id', integer, { user_id: integer }, 'user_id'],
  ])('{%s} is the `key`', async (name, type, properties, key) => {
    const { api, unfit } = await keyed(name, type, properties);
    expect(optionsOf(api)).toMatchObject({ key, operations: ['list', 'get', 'delete'] });
    expect(unfit).toEqual([]);
  });

  test.each<[string, Schema | undefined, Schema]>([
    ['id', integer, { number: integer }],
    ['thing_id', integer, { number: integer, thing: integer }],
    ['thingId', string, { name: string }],
    ['thing', integer, { number: integer }],
    ['thing_number', integer, { number: string }],
    ['other_user_id', integer, { user_id: integer }],
    ['thing_number', undefined, { number: integer }],
  ])('{%s} of the type %j is the `id`', async (name, type, properties) => {
    const { api } = await keyed(name, type, properties);
    expect(optionsOf(api)).toMatchObject({ operations: ['list', 'get', 'delete'] });
    expect(optionsOf(api)?.key).toBeUndefined();
  });

  test.each<[string, Schema, Schema]>([
    ['login', string, { login: integer }],
    ['login', string, { login: { type: 'array', items: string } }],
    ['login', string, { name: string }],
    ['thing_login', string, { login: integer }],
  ])('{%s} of the type %j is none of another type', async (name, type, properties) => {
    const { api, declarations } = await keyed(name, type, properties);
    expect(optionsOf(api)?.operations).toEqual(['list']);
    expect(declarations).toContain(`its path has \`{${name}}\`, which is not the \`id\` of the resource`);
  });

  test('is that of its actions, and another parameter makes an endpoint', async () => {
    const close = { post: { operationId: 'close', responses: { 204: { description: '' } } } };
    const at = (name: string, schema: Schema) => ({
      parameters: [{ in: 'path', name, required: true, schema }],
    });
    const { api } = await keyed(
      'login',
      string,
      { login: string, number: integer },
      {
        '/v1/things/{thing_login}/close': { ...at('thing_login', string), ...close },
        '/v1/things/{thing_number}/open': {
          ...at('thing_number', integer),
          post: { operationId: 'open', responses: { 204: { description: '' } } },
        },
      },
    );
    expect(Object.keys(optionsOf(api)?.actions ?? {})).toEqual(['close']);
    expect(Object.keys(api?.endpoints ?? {})).toEqual(['open']);
  });

  test('is one for all operations', async () => {
    const record = { type: 'object', required: ['id'], properties: { id: integer, login: string } };
    const patch = { requestBody: json(record), responses: { 200: response(record) } };
    const { declarations } = await keyed(
      'login',
      string,
      { login: string },
      {
        '/v1/things/{thing_id}': {
          parameters: [{ in: 'path', name: 'thing_id', required: true, schema: integer }],
          put: { ...patch, responses: { 204: { description: '' } } },
        },
      },
    );
    expect(declarations).toContain('its path has the `id` of the resource, and others have its `login`');
  });
});
