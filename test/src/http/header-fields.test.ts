import { InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { checkHeaderFields, secretsIn } from '../../../src/http/fields.ts';
import fc from '../../support/random.ts';

const name = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/)
  .filter((text) => !/^(?:authorization)$/i.test(text));
const value = fc.string({ unit: 'grapheme-ascii' });

describe('checkHeaderFields', () => {
  test('a value that passes is a valid header of the runtime, unchanged', () => {
    fc.assert(
      fc.property(name, value, (name, value) => {
        const checked = checkHeaderFields('headers', { [name]: value });
        expect(new Headers({ ...checked }).get(name)).toBe(value.trim());
        expect(Object.keys(checked)).toEqual([name.toLowerCase()]);
      }),
    );
  });

  test.each(['a\r\nb: c', 'a\nb', 'a\0', '\x7f', 'é', '😀', '\ud800', 5, null, undefined, ['a']])(
    'a value %j is refused, and is not in the message',
    (given) => {
      const fields = { 'x-key': given } as unknown as Record<string, string>;
      expect(() => checkHeaderFields('headers', fields)).toThrow(InvalidRequestError);
      const expected = 'headers: x-key must be a string of visible ASCII characters';
      expect(() => checkHeaderFields('headers', fields)).toThrow(expected);
    },
  );

  test.each(['', 'a b', 'a:', 'é', 'a\n', '(x)', '"'])('a name %j is refused', (given) => {
    expect(() => checkHeaderFields('headers', { [given]: 'x' })).toThrow(InvalidRequestError);
  });

  test.each([new Headers({ a: 'b' }), new Map([['a', 'b']]), [['a', 'b']], 'a: b'])(
    'what is no object of headers is refused, because it would be lost',
    (given) => expect(() => checkHeaderFields('headers', given as never)).toThrow('an object of headers'),
  );

  test.each(['authorization', 'Authorization', 'AUTHORIZATION'])('%s belongs to auth', (given) => {
    expect(() => checkHeaderFields('headers', { [given]: 'Bearer s3cret' })).toThrow('use auth');
  });
});

test('a header is secret by its name', () => {
  const secret = ['x-api-key', 'cookie', 'x-auth', 'x-amz-security-token', 'x-client-secret', 'x-password'];
  const open = ['accept', 'x-tenant', 'x-request-id', 'idempotency-key', 'traceparent', 'if-none-match'];
  const values = Object.fromEntries([...secret, ...open].map((name) => [name, name]));
  expect(new Set(secretsIn(values))).toEqual(new Set(secret));
});

test.each([
  ['cookie', 'theme=dark; sid=0123456789abcdef', '0123456789abcdef'],
  ['proxy-authorization', 'Basic YWRhOmxvdmVsYWNl', 'YWRhOmxvdmVsYWNl'],
  ['x-auth', 'ApiKey ada:204db7bcfafb2deb', '204db7bcfafb2deb'],
])('the part of %s that a server may echo alone is secret too', (name, value, part) => {
  expect(secretsIn({ [name]: value })).toEqual(expect.arrayContaining([value, part]));
});

test('a parameter of a token request is secret by its name, but not what names its type', () => {
  const secret = ['client_assertion', 'assertion', 'code', 'code_verifier', 'otp', 'apiKey', 'subject_token'];
  const open = ['audience', 'resource', 'subject_token_type', 'client_assertion_type'];
  const values = Object.fromEntries([...secret, ...open].map((name) => [name, name]));
  expect(new Set(secretsIn(values))).toEqual(new Set(secret));
});
