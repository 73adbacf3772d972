import { describe, expect, test } from 'vitest';
import { maxLinkLength, parseLink, parsePagination } from '../../../src/headers/paging.ts';
import fc from '../../support/random.ts';

describe('Link (RFC 8288)', () => {
  test('never throws, for any string', () => {
    const noise = fc.string({ unit: fc.constantFrom('<', '>', '"', ',', ';', '=', '\\', ' ', 'rel', 'a') });
    fc.assert(
      fc.property(fc.oneof(fc.string(), noise), (field) => {
        expect(() => parseLink(field)).not.toThrow();
      }),
    );
  });

  test.each([
    ['<https://a.test/?page=2>; rel="next"', 'next=https://a.test/?page=2'],
    ['<a,b;c>;rel=next', 'next=a,b;c'],
    ['<a>; title="x, <b>; rel=\\"last\\""; rel="next"', 'next=a'],
    ['<a>; REL="NEXT"', 'next=a'],
    ['<a>; rel=next; rel=last', 'next=a'],
    ['<a>; rel=next, <b>; rel="next last"', 'next=a last=b'],
    ['<a>; rel = "next"', 'next=a'],
    ['<a>; rel=prev <b>; rel=next', 'prev=a next=b'],
    ['<a>; rel="next last"', 'next=a last=a'],
    ['<a>; rel="next"; anchor="#part", <b>; anchor="/b"; rel=next, <c>; rel=next', 'next=c'],
    ['<a>; rel="next"; anchor=""', 'next=a'],
    ["<a>; rel='next'", 'next=a'],
    ["<a>; title='x, <b>; rel=last'; rel='next last'", 'next=a last=a'],
    ["<a>; title='tis; rel=next", 'next=a'],
    ["<a>; title*=UTF-8'en'x; rel=next", 'next=a'],
    ['<a>; rel="https://rels.test/next next"', 'https://rels.test/next=a next=a'],
    ['<a>; rel="next tag:rels.test,2026:(x);y"', 'next=a tag:rels.test,2026:(x);y=a'],
    ['<a?q=Z\u00c3\u00bcrich>; rel=next', 'next=a?q=Zürich'],
    ['<a?q=Z\u00fcrich>; rel=next', 'next=a?q=Zürich'],
    // From a `fetch` of one's own, which makes a character of each character.
    ['<a?q=\u4e2d>; rel=next', 'next=a?q=\u4e2d'],
    ['</style.css>; as=style, <a>; rel="next"', 'next=a'],
    ['<a>; rel="next", <b>; title="x, <c>"', 'next=a'],
    ['<a>; anchor="#part"; rel=next', ''],
    ['<a>; anchor="#part"', ''],
    [' , ,', ''],
    ['<>; rel=next', 'next='],
    ['<a>; rel=__proto__', '__proto__=a'],
  ])('%s', (field, expected) => {
    const links = parseLink(field);
    expect(links && [...links].map((link) => link.join('=')).join(' ')).toBe(expected);
  });

  test.each([
    '<a>',
    '<a>; title="next", <b>',
    '<a>; rel',
    '<a>; rel=""',
    '<a>; rel=[next]',
    '<a>; rel="next,last"',
    '<a>; rel=“next”',
    "<a>; rel='next",
    'a; rel=next',
    '<a; rel=next',
    '<a> rel=next',
    '<a>; rel="next',
    '<a>; rel="next" x',
    'null',
  ])('is undefined for %s, and not a list without a next', (field) => {
    expect(parseLink(field)).toBeUndefined();
  });

  const longestOf = (text: string): string => text.repeat(maxLinkLength).slice(0, maxLinkLength);

  test.each([',', ' '])('a longest field of %j has no links', (text) => {
    expect(parseLink(longestOf(text))).toEqual(new Map());
  });

  test.each(['<', '"', ';', '=', '\\', '<a>,', '<a>;', '<a>;rel="'])(
    'a longest field of %j is no list of links',
    (text) => {
      expect(parseLink(longestOf(text))).toBeUndefined();
    },
  );

  test('a field that is longer than the longest is refused', () => {
    expect(parseLink(' '.repeat(1_048_576))).toBeUndefined();
  });

  test('a field of the longest size is read to its end', () => {
    const tail = ', <z>; rel="last"';
    const field = '<a>; rel="next"'.padEnd(maxLinkLength - tail.length, ' ') + tail;
    expect(parseLink(field)?.get('last')).toBe('z');
    expect(parseLink(`${field} `)).toBeUndefined();
  });
});

describe('X-Pagination-* (§4.5)', () => {
  const read = (fields: Readonly<Record<string, string>>) => parsePagination(new Headers(fields));

  test('each field is its own value, and an omitted total is undefined, never 0', () => {
    const page = { 'X-Pagination-Current-Page': '2', 'X-Pagination-Page-Size': '25' };
    const totals = { 'X-Pagination-Total-Pages': '0', 'X-Pagination-Total-Count': '9'.repeat(15) };
    const expected = { number: 2, size: 25, totalPages: 0, totalCount: 999_999_999_999_999 };
    expect(read({ ...page, ...totals })).toEqual(expected);
    expect(read(page)).toEqual({ ...expected, totalPages: undefined, totalCount: undefined });
  });

  test('a space around a count is no part of it', () => {
    const headers = { get: () => ' 5 ' } as unknown as Headers;
    expect(parsePagination(headers).totalCount).toBe(5);
  });

  test('a count that a proxy added a second time is that count: without it, a list would end early', () => {
    const headers = new Headers({ 'X-Pagination-Total-Pages': '12' });
    headers.append('X-Pagination-Total-Pages', '12');
    expect(parsePagination(headers).totalPages).toBe(12);
  });

  test.each(['-1', '1.5', '1e3', '0x10', 'many', '', '1, 2', '12, 1', '1,1x', '9'.repeat(16)])(
    '%j is not a count',
    (value) => {
      expect(read({ 'X-Pagination-Total-Count': value }).totalCount).toBeUndefined();
    },
  );
});
