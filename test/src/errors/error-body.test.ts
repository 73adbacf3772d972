import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseErrorBody } from '../../../src/errors/error-body.ts';

describe('parseErrorBody', () => {
  test('§2.3 message and items as on the wire', () => {
    const item = { field: 'a.b', code: 'invalid', message: 'no', reference: 'https://a.test/doc' };
    const errors = [item, { field: 'c', code: 'missingField' }];
    expect(parseErrorBody(JSON.stringify({ message: 'Validation failed', errors }))).toEqual({
      detail: 'Validation failed',
      body: undefined,
      items: errors,
    });
  });

  test.each(['', '<html>', 'null', '5', '"text"', '[]', '{}', '{"message":5,"errors":{}}'])(
    '%j has no detail and no items',
    (body) => {
      const { detail, items = [] } = parseErrorBody(body);
      expect({ detail, items }).toEqual({ detail: undefined, items: [] });
    },
  );

  test('never throws; what is no item is left out', () => {
    const anything = fc.oneof(
      fc.json(),
      fc.record({ message: fc.jsonValue(), errors: fc.jsonValue() }).map((body) => JSON.stringify(body)),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.array(fc.jsonValue()).map((errors) => JSON.stringify({ errors })),
        ),
        (body) => {
          const { items = [] } = parseErrorBody(body);
          expect(
            items.filter(({ field, code }) => typeof field !== 'string' || typeof code !== 'string'),
          ).toEqual([]);
        },
      ),
    );
  });

  test.each([null, 5, 'text', [], {}, { field: 5 }, { code: 'invalid' }, { field: null }])(
    '%j is no item',
    (item) => {
      const good = { field: 'a', code: 'invalid' };
      expect(parseErrorBody(JSON.stringify({ errors: [item, good] })).items).toEqual([good]);
    },
  );

  test('an item without a code is invalid', () => {
    expect(parseErrorBody('{"errors":[{"field":"a"}]}').items).toEqual([{ field: 'a', code: 'invalid' }]);
  });

  test('long strings and long lists are cut, and control characters are removed', () => {
    const errors = Array.from({ length: 1_001 }, (_, i) => ({ field: `f${i}`, code: 'x'.repeat(2_001) }));
    const message = `a\r\n\x1b[31mb\0${'x '.repeat(20_000)}`;
    const parsed = parseErrorBody(JSON.stringify({ message, errors }));
    expect(parsed.detail?.length).toBeLessThanOrEqual(2_000);
    expect(parsed.detail).toMatch(/^a \[31mb (?:x )+$/);
    expect(parsed.items).toHaveLength(1_000);
    expect(parsed.items?.[0]?.code).toHaveLength(2_000);
  });

  test('a secret at the cut of a long string is recognised', () => {
    const mask = (text: string) => text.replaceAll('the-secret', '***');
    const { detail } = parseErrorBody(JSON.stringify({ message: `${'x'.repeat(1_995)}the-secret` }), mask);
    expect(detail).toBe(`${'x'.repeat(1_995)}***`);
  });

  test('of a secret that is longer than what is read, nothing is shown', () => {
    const { detail } = parseErrorBody(JSON.stringify({ message: `Not valid: ${'s'.repeat(2 ** 20)}` }));
    expect(detail).toBe('Not valid: ');
  });

  test('of JSON above 2 MiB nothing is read and nothing is shown, because parsing it can block the event loop', () => {
    const body = (length: number) => `  {"message":"x"${' '.repeat(length - 17)}}`;
    expect(parseErrorBody(body(2_097_152))).toMatchObject({ detail: 'x', items: [] });
    expect(parseErrorBody(body(2_097_153))).toEqual({});
    expect(parseErrorBody(` [${'['.repeat(2_097_152)}`)).toEqual({});
    expect(parseErrorBody(`Out of order\n${'x'.repeat(2_097_152)}`)).toMatchObject({
      detail: 'Out of order',
    });
    expect(parseErrorBody(`<title>Down</title>${' '.repeat(2_097_152)}`)).toMatchObject({ detail: 'Down' });
  });

  test('a character reference that names no character stays as it is', () => {
    const title = '&#9999999; &#xffffff; &#x1F600; &unknown;';
    const body = `<title>${title}</title>`;
    expect(parseErrorBody(body).detail).toBe('&#9999999; &#xffffff; \u{1F600} &unknown;');
  });

  test('__proto__ in a body is a name like any other', () => {
    const { items } = parseErrorBody('{"__proto__":{"message":"x"},"errors":[{"__proto__":{"field":"x"}}]}');
    expect(items).toEqual([]);
    expect(Reflect.get({}, 'field')).toBeUndefined();
  });
});
