import { describe, expect, test } from 'vitest';
import { apisOf, evaluate, importOf } from '../../../support/import-document.ts';
import {
  documentOf,
  list,
  oddDocument,
  reference,
  resourceOf,
  type Schema,
} from '../../../support/odd-document.ts';

const thingsOf = (item: Schema, schemas: Schema = {}) => documentOf({ '/v1/things': list(item) }, schemas);

describe('a hostile document', () => {
  test('of odd names becomes a program that runs', async () => {
    const imported = await importOf(oddDocument);
    expect(evaluate(imported)).toHaveProperty('odd.collections.nodes');
    const parent = 'get parent(): z.core.$ZodOptional<z.core.$ZodNullable<Expandable>> {';
    expect(imported.declarations).toContain(parent);
    expect(imported.unfit.join('\n')).toContain('`expand` of `parent.parent`');
  });

  test('with credentials in the URL of its server does not have them in the report', async () => {
    const { summary, unfit, declarations } = await importOf(
      documentOf(
        { '/v1/things': { ...list(resourceOf({})), servers: [{ url: 'https://eve:s3cret@other.test' }] } },
        {},
        { servers: [{ url: 'https://ada:s3cret@api.example.com/' }] },
      ),
    );
    expect(summary).toMatch(/base URL https:\/\/api.example.com$/);
    expect([summary, ...unfit, declarations].join()).not.toContain('s3cret');
  });

  test('cannot write code', async () => {
    const evil =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a document may hold it
      "'; globalThis.evil = 1; //` ${globalThis.evil = 1} */ globalThis.evil = 1 /*\u2028globalThis.evil = 1\n";
    const schema = {
      ...resourceOf({
        [evil]: { type: 'string', description: evil, enum: [evil] },
        ['__proto__']: { type: 'string' },
      }),
      description: evil,
    };
    const document = documentOf(
      {
        '/v1/things': list(reference('Evil'), { operationId: evil, summary: evil }),
        [`/v1/${evil}`]: list({}, { operationId: evil }),
        '/v1/reports': {
          get: { operationId: evil, summary: evil, responses: { 200: { content: { [evil]: {} } } } },
        },
      },
      { Evil: schema },
      { info: { title: evil, version: evil }, security: [{ [evil]: [] }] },
    );
    const imported = await importOf(document);
    const exported = evaluate(imported);
    expect(globalThis).not.toHaveProperty('evil');
    const [api] = apisOf(imported);
    const fields = api?.collections.things?.resource._zod.def as unknown as { readonly shape: object };
    expect(Object.keys(fields.shape)).toContain('__proto__');
    expect(Object.keys(exported).length).toBeGreaterThan(1);
    expect(imported.declarations).toContain('is not declared: `client.request` takes no such path.');
  });

  test('that is made of itself ends', async () => {
    const schemas = {
      A: reference('B'),
      B: reference('A'),
      C: { allOf: [reference('C')] },
      D: { type: 'array', items: reference('D') },
      E: { anyOf: [{ type: 'string' }, { additionalProperties: reference('E') }] },
      F: resourceOf({
        f: reference('F'),
        other: { allOf: [reference('F'), { properties: { g: reference('D') } }] },
      }),
    };
    const fields = Object.fromEntries(
      Object.keys(schemas).map((name) => [name.toLowerCase(), reference(name)]),
    );
    const imported = await importOf(thingsOf(resourceOf(fields), schemas));
    expect(apisOf(imported)).toHaveLength(1);
    expect(imported.declarations).toContain('export const C = z.unknown();');
  });

  test.each<[string, unknown, string]>([
    ['of another format', 'hello', 'does not contain an object'],
    ['of another version', { openapi: '4.0.0' }, 'must be OpenAPI 2.0, 3.0 or 3.1'],
    ['of nothing', {}, 'with its version in quotation marks'],
  ])('that is %s is refused', async (_, document, message) => {
    await expect(importOf(document)).rejects.toThrow(message);
  });
});
