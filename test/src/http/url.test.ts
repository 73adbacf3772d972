import { InvalidRequestError } from 'restkin';
import { describe, expect, test } from 'vitest';
import {
  encodeSegment,
  formatPath,
  maskUrl,
  originOf,
  parseBaseUrl,
  resolveWithin,
} from '../../../src/http/url.ts';
import { codePoint } from '../../support/code-point.ts';
import fc from '../../support/random.ts';

const text = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', '?', '#', ':', '\t', '\n', ' ') }),
);
const unmasked = (shown: string): string => shown;
const cannotTravel = (value: string) => ['', '.', '..'].includes(value) || /\p{Surrogate}/u.test(value);

describe('encodeSegment', () => {
  test('the server decodes exactly what was given, or it is refused', () => {
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(!cannotTravel(value));
        const { pathname } = new URL(`https://a.test/orders/${encodeSegment('id', value)}/lines`);
        const [, before, segment = '', after, ...rest] = pathname.split('/');
        expect([before, decodeURIComponent(segment), after, rest]).toEqual(['orders', value, 'lines', []]);
      }),
    );
  });

  test.each([
    ...['', '.', '..', '\ud800', 'a\udc00', Number.NaN, 1.5, 2 ** 53, Number.POSITIVE_INFINITY],
    ...[undefined, null, true, {}, [], ['a'], 7n, Symbol('s'), new Date(0)],
  ])('%o is refused by its name', (value) => {
    expect(() => encodeSegment('companyId', value)).toThrow(InvalidRequestError);
    expect(() => encodeSegment('companyId', value)).toThrow('companyId');
  });

  test('the message shows the beginning of a long value', () => {
    const problem = `${'x'.repeat(100)}": it would change the path`;
    expect(() => encodeSegment('id', `${'x'.repeat(9_000)}\ud800`)).toThrow(problem);
  });

  test.each([
    [0, '0'],
    [-5, '-5'],
    [7, '7'],
    ['...', '...'],
    ['%2e', '%252e'],
  ])('%j', (value, expected) => {
    // prettier-ignore
    expect(encodeSegment('id', value)).toBe(expected);
  });
});

describe('formatPath', () => {
  test('parameters replace their names', () => {
    expect(formatPath('a/:x/b/:y', { x: 'p/q', y: 3, z: 4 })).toBe('a/p%2Fq/b/3');
  });
  test.each([{}, { y: 1 }, { x: undefined }, Object.create({ x: 1 }) as object])('%j lacks x', (given) => {
    expect(() => formatPath('a/:x', { ...given })).toThrow(InvalidRequestError);
  });
});

describe('parseBaseUrl', () => {
  test.each([
    ['https://a.test', 'https://a.test', 'https://a.test'],
    ['https://A.test:443//', 'https://a.test', 'https://a.test'],
    ['https://a.test:8443/x/y/', 'https://a.test:8443', 'https://a.test:8443/x/y'],
    ['http://localhost:80', 'http://localhost', 'http://localhost'],
    ['http://api.localhost', 'http://api.localhost', 'http://api.localhost'],
    ['http://127.0.0.1:8', 'http://127.0.0.1:8', 'http://127.0.0.1:8'],
    ['http://[::1]:8/', 'http://[::1]:8', 'http://[::1]:8'],
  ])('%s', (value, origin, href) => {
    expect(parseBaseUrl('baseUrl', value, false)).toEqual({ origin, href });
  });

  test.each([
    'http://a.test',
    'http://10.0.0.1',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://notlocalhost',
    'http://0.0.0.0',
    'http://[::2]',
  ])('%s is allowed only with allowInsecure', (value) => {
    expect(() => parseBaseUrl('baseUrl', value, false)).toThrow(InvalidRequestError);
    expect(parseBaseUrl('baseUrl', value, true).href).toBe(value);
  });

  test.each([
    'ftp://a.test',
    'a.test',
    'localhost:4010',
    '/v1',
    '',
    undefined,
    null,
    {},
    'javascript:alert(1)',
    'file:///etc/x',
  ])('%j is not an http(s) URL', (value) => {
    expect(() => parseBaseUrl('authUrl', value, true)).toThrow(InvalidRequestError);
    const expected = 'authUrl must be an absolute URL such as https://api.example.com';
    expect(() => parseBaseUrl('authUrl', value, true)).toThrow(expected);
  });
});

test('an option that is undefined, as an environment variable may be, is named so', () => {
  const expected =
    'baseUrl must be an absolute URL such as https://api.example.com, not undefined; on a page';
  expect(() => parseBaseUrl('baseUrl', undefined, true)).toThrow(expected);
});

describe('resolveWithin', () => {
  const base = parseBaseUrl('baseUrl', 'https://a.test/root', false);
  test.each([
    ['https://a.test/v1/x?page=2#top', 'https://a.test/v1/x?page=2'],
    ['https://a.test/v1/x?q=a b', 'https://a.test/v1/x?q=a b'],
    ['/v1/x#top', 'https://a.test/v1/x'],
    ['?page=2', 'https://a.test/root/list?page=2'],
    ['https://A.TEST:443/x', 'https://a.test/x'],
    // Of a server behind a proxy that ends TLS.
    ['http://a.test/v1/x?page=2', 'https://a.test/v1/x?page=2'],
    ['http://A.test:80/x', 'https://a.test/x'],
  ])('%s', (link, expected) => {
    expect(resolveWithin(base, link, 'https://a.test/root/list')).toBe(expected);
  });
  test.each([
    ...['https://b.test/x', 'http://b.test/x', 'https://a.test:8443/x', 'https://sub.a.test/x', '//b.test/x'],
    ...['\\\\b.test/x', 'https://a.test@b.test/x', 'https://:pw@a.test/x', 'https://user@a.test/x'],
    ...['http://a.test:8080/x', 'http://a.test:443/x', 'http://user@a.test/x', 'http://a.test@b.test/x'],
    ...[
      'https://a.test.evil.test',
      'ws://a.test/x',
      'javascript:1',
      'data:,x',
      'https://[',
      'blob:https://a.test/1',
    ],
  ])('%s is another origin', (link) => {
    expect(resolveWithin(base, link, 'https://a.test/root/list')).toBeUndefined();
  });
});

test('a link with http: means https: at the port of the base URL alone, and never the other way', () => {
  const onPort = parseBaseUrl('baseUrl', 'https://a.test:8443', false);
  expect(resolveWithin(onPort, 'http://a.test:8443/x', onPort.href)).toBe('https://a.test:8443/x');
  expect(resolveWithin(onPort, 'http://a.test/x', onPort.href)).toBeUndefined();
  const plain = parseBaseUrl('baseUrl', 'http://a.test', true);
  expect(resolveWithin(plain, 'https://a.test/x', plain.href)).toBeUndefined();
});

test.each([
  ['https://user:pw@b.test:8/x?token=1', 'https://b.test:8'],
  ['nonsense', 'an invalid URL'],
])('originOf(%s)', (link, expected) => {
  expect(originOf(link, unmasked)).toBe(expected);
});

test('maskUrl keeps the parameters of §4.4 and masks every other value', () => {
  const masked = maskUrl(
    'https://a.test/v1/x?sort=-a&page=2&token=s3cret&token=again&q=%F0%9F%98%80',
    unmasked,
  );
  expect(masked).toBe('https://a.test/v1/x?sort=-a&page=2&token=***&q=***');
  expect(maskUrl('https://a.test/v1/x', unmasked)).toBe('https://a.test/v1/x');
});
