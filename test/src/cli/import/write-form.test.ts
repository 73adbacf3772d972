import { expect, test } from 'vitest';
import { importOf } from '../../../support/import-document.ts';
import { documentOf, json, query, response, type Schema } from '../../../support/odd-document.ts';

// What POST, PUT and PATCH respond with: as the document has it, if it has lists with pages.

const integer = { type: 'integer' };
const body = { type: 'object', properties: { name: { type: 'string' } } };
const record = { ...body, required: ['id'], properties: { id: integer, ...body.properties } };

/** A document of a list with offsets, with the responses to its writes. */
const crud = (created: Schema, changed: Schema) => {
  const parameters = [query('skip', integer), query('limit', integer)];
  const rows = { type: 'object', properties: { data: { type: 'array', items: record } } };
  const write = (responses: Schema) => ({ requestBody: { ...json(body), required: true }, responses });
  return documentOf({
    '/items': { get: { parameters, responses: { 200: response(rows) } }, post: write(created) },
    '/items/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: integer }],
      get: { responses: { 200: response(record) } },
      patch: write(changed),
    },
  });
};

const whole = { 200: response(record) };

test.each<[string, Schema, Schema, string]>([
  ['200 and the resource', whole, whole, "created: [200, 201], written: 'resource', "],
  ['201 and the resource', { 201: response(record) }, whole, "written: 'resource', "],
  ['200, then nothing', whole, { 204: { description: '' } }, 'created: [200, 201], '],
  ['201, then nothing', { 201: response(record) }, { 204: { description: '' } }, ''],
])('a server that responds to writes with %s', async (_, created, changed, printed) => {
  const { declarations } = await importOf(crud(created, changed));
  const code = declarations.replace(/\s+/g, ' ');
  expect(code).toContain(`next: { offset: 'skip' } }, ${printed}identity: ['id']`);
  expect(code).toContain("operations: ['list', 'get', 'create', 'update'] })");
});
