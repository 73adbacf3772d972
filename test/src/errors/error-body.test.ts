import { describe, expect, test } from 'vitest';
import { type Mask, parseErrorBody } from '../../../src/errors/error-body.ts';
import fc from '../../support/random.ts';

const unmasked: Mask = (shown, _shortest, length) => shown.slice(0, length);
const read = (body: string, mask = unmasked) => parseErrorBody(body, { mask });

describe('parseErrorBody', () => {
  test('§2.3 message and items as on the wire', () => {
    const item = { field: 'a.b', code: 'invalid', message: 'no', reference: 'https://a.test/doc' };
    const errors = [item, { field: 'c', code: 'missingField' }];
    expect(read(JSON.stringify({ message: 'Validation failed', errors }))).toEqual({
      detail: 'Validation failed',
      body: undefined,
      items: errors,
      isOwn: true,
      oauthError: undefined,
    });
  });

  test.each([
    ['a field of its own', { message: 'Stale', current: { version: 4 } }, true],
    ['items, where its status has none', { message: 'Stale', errors: [{ field: 'a' }] }, false],
  ])('a body with %s stays readable', (_what, sent, hasItems) => {
    const written = JSON.stringify(sent);
    expect(parseErrorBody(written, { mask: unmasked, hasItems })).toMatchObject({
      detail: 'Stale',
      body: written,
    });
  });

  test.each(['', '<html>', 'null', '5', '"text"', '[]', '{}', '{"message":5,"errors":{}}'])(
    '%j has no detail and no items',
    (body) => {
      const { detail, items = [] } = read(body);
      expect({ detail, items }).toEqual({ detail: undefined, items: [] });
    },
  );

  test('never throws, and each item has a field', () => {
    const bodies = fc
      .record({ message: fc.jsonValue(), errors: fc.jsonValue() })
      .map((body) => JSON.stringify(body));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), bodies), (body) => {
        for (const { field } of read(body).items ?? []) expect(typeof field).toBe('string');
      }),
    );
  });

  test('a body that is nested too deeply to be written again is shown as it is', () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(read(body).body).toBe('['.repeat(2_000));
  });

  test.each([null, 5, [], {}, { field: 5 }, { path: 'a' }])('%j is no item, and stays in body', (item) => {
    const good = { field: 'a', code: 'invalid' };
    const sent = JSON.stringify({ message: 'Invalid', errors: [item, good] });
    expect(read(sent)).toMatchObject({ detail: 'Invalid', items: [good], body: sent });
  });

  test.each([
    ['an item without a code gets none', { field: 'a' }, { field: 'a' }],
    ['an item without a field is about the whole body', { code: 'tooLate' }, { field: '', code: 'tooLate' }],
    ['an item may be a message alone', { message: 'Too late' }, { field: '', message: 'Too late' }],
    ['messages of an item are joined', { field: 'a', message: ['x', 'y'] }, { field: 'a', message: 'x; y' }],
  ])('%s', (_what, given, item) => {
    const { items, body } = read(JSON.stringify({ message: 'Invalid', errors: [given] }));
    expect(items).toEqual([item]);
    expect(body).toBeUndefined();
  });

  // Bodies of frameworks that do not follow §2.3.
  test.each([
    ['{"message":["a is empty","b is no number"],"error":"Bad Request"}', 'a is empty; b is no number'],
    ['{"error":{"message":"No such order","code":40}}', 'No such order'],
    ['{"message":"","title":"Not found"}', 'Not found'],
    ['{"error":"invalid_grant","error_description":"Wrong password"}', 'invalid_grant: Wrong password'],
    // RabbitMQ, CouchDB
    ['{"error":"not_found","reason":"missing"}', 'not_found: missing'],
    ['{"problem":"unknown"}', undefined],
  ])('of %s the text is the detail, and the whole is the body', (sent, detail) => {
    expect(read(sent)).toMatchObject({ detail, body: sent });
  });

  test('items in another form stay in body', () => {
    const sent = '{"message":"The given data was invalid.","errors":{"name":["is too short"]}}';
    const { detail, body, items } = read(sent);
    expect(detail).toBe('The given data was invalid.');
    expect(items).toEqual([]);
    expect(body).toBe(sent);
  });

  test('§7.2.2 isOwn tells an error body of the conventions from any other', () => {
    const bodies = ['{"message":"No such order"}', '{"message":["a"]}', '{"error":"a"}', '<h1>404</h1>', ''];
    expect(bodies.map((body) => read(body).isOwn)).toEqual([true, false, false, false, false]);
  });

  test('§2.3 items in an object with numbers for keys, as PHP writes a list with gaps, are read', () => {
    const errors = { 1: { field: 'name', code: 'missing_field' }, 3: { field: 'city', code: 'invalid' } };
    const parsed = read(JSON.stringify({ message: 'Invalid', errors }));
    expect(parsed.items).toEqual([
      { field: 'name', code: 'missing_field' },
      { field: 'city', code: 'invalid' },
    ]);
    expect(parsed.body).toBeUndefined();
    expect(read(JSON.stringify({ message: 'Invalid', errors: { name: 'a' } })).items).toEqual([]);
  });

  test('long strings and long lists are cut, and control characters are removed', () => {
    const errors = Array.from({ length: 1_001 }, (_, i) => ({ field: `f${i}`, code: 'x'.repeat(2_001) }));
    const message = `a\r\n\x1b[31mb\0${'x '.repeat(20_000)}`;
    const parsed = read(JSON.stringify({ message, errors }));
    expect(parsed.detail?.length).toBeLessThanOrEqual(2_000);
    expect(parsed.detail).toMatch(/^a \[31mb (?:x )+$/);
    expect(parsed.items).toHaveLength(1_000);
    expect(parsed.items?.[0]?.code).toHaveLength(2_000);
  });

  test('a secret at the cut of a long string is recognised', () => {
    const mask = (text: string) => text.replaceAll('the-secret', '***');
    const { detail } = read(JSON.stringify({ message: `${'x'.repeat(1_995)}the-secret` }), mask);
    expect(detail).toBe(`${'x'.repeat(1_995)}***`);
  });

  test.each([
    JSON.stringify({ message: 'You sent correct\0horse' }),
    'You sent correct\n  horse',
    '<p>You sent correct<br>horse</p>',
  ])('a secret that appears once something is removed is masked: %j', (body) => {
    const mask = (text: string) => text.replaceAll('correct horse', '***');
    expect(read(body, mask).detail).toBe('You sent ***');
  });

  test('of a page the words between its tags are shown', () => {
    const page =
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>a { b: c }</style></head>\n<body><h1>Sorry</h1><p class="x">nginx';
    expect(read(page)).toEqual({
      detail: '502 Bad Gateway Sorry nginx',
      body: '502 Bad Gateway Sorry nginx',
      isOwn: false,
    });
    const mask = (text: string) => text.replaceAll('p<ss>word', '***');
    expect(read('<p>You sent p<ss>word</p>', mask).detail).toBe('You sent ***');
    expect(read('<p>Sorry</p><script>const cut =').detail).toBe('Sorry');
  });

  test('the message of the first of a list is the detail where there is no other', () => {
    const body = { errors: [{ message: "You don't have permission.", extensions: { code: 'FORBIDDEN' } }] };
    expect(read(JSON.stringify(body)).detail).toBe("You don't have permission.");
    expect(read(JSON.stringify({ ...body, message: 'No.' })).detail).toBe('No.');
  });

  test.each([
    ['detail', { title: 'Not Found', detail: 'There is no book 9' }, 'There is no book 9'],
    [
      'title',
      { title: 'Requested resource does not exist', detail: [{ path: [] }] },
      'Requested resource does not exist',
    ],
  ])('the %s of the first error of JSON:API is its detail', (_, error, expected) => {
    expect(read(JSON.stringify({ errors: [{ status: '404', ...error }] })).detail).toBe(expected);
  });
});
