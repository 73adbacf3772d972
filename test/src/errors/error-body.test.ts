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

  test('never throws, and each item has a field and a code', () => {
    const bodies = fc
      .record({ message: fc.jsonValue(), errors: fc.jsonValue() })
      .map((body) => JSON.stringify(body));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), bodies), (body) => {
        for (const { field, code } of parseErrorBody(body).items ?? [])
          expect([typeof field, typeof code]).toEqual(['string', 'string']);
      }),
    );
  });

  test('a body that is nested too deeply to be written again is shown as it is', () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parseErrorBody(body).body).toBe('['.repeat(2_000));
  });

  test.each([null, 5, [], { field: 5 }, { code: 'invalid' }])('%j is no item', (item) => {
    const good = { field: 'a', code: 'invalid' };
    expect(parseErrorBody(JSON.stringify({ errors: [item, good] })).items).toEqual([good]);
  });

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

  test('of a page the words between its tags are shown', () => {
    const page =
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>a { b: c }</style></head>\n<body><h1>Sorry</h1><p class="x">nginx';
    expect(parseErrorBody(page)).toEqual({
      detail: '502 Bad Gateway Sorry nginx',
      body: '502 Bad Gateway Sorry nginx',
    });
    const mask = (text: string) => text.replaceAll('p<ss>word', '***');
    expect(parseErrorBody('<p>You sent p<ss>word</p>', mask).detail).toBe('You sent ***');
    expect(parseErrorBody('<p>Sorry</p><script>const cut =').detail).toBe('Sorry');
  });
});
