import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxLinkLength, parseLink } from '../../../src/headers/paging.ts';
import { codePoint } from '../../support/code-point.ts';

describe('parseLink', () => {
  test('the first of several anchors counts, as the first of several relations does', () => {
    const link = '</a>; rel=next; rel=last; anchor="/own"; anchor="#other"';
    expect([...(parseLink(link, (anchor) => anchor === '/own') ?? [])]).toEqual([['next', '/a']]);
  });

  test('never throws, for any string', () => {
    const noise = fc.string({ unit: fc.constantFrom('<', '>', '"', ',', ';', '=', '\\', ' ', 'rel', 'a') });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: codePoint }), noise), (field) => {
        expect([true, false]).toContain(parseLink(field) === undefined);
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
    ['<a>; rel="next" <b>; rel="last"', 'next=a last=b'],
    ['<a>; rel=prev <b>; rel=next', 'prev=a next=b'],
    ['<a>; rel="next last"', 'next=a last=a'],
    ['<a>; rel="next"; anchor="#part"', ''],
    ['<a>', ''],
    [' , ,', ''],
    ['<>; rel=next', 'next='],
    ['<a>; rel=__proto__', '__proto__=a'],
  ])('%s', (field, expected) => {
    const links = parseLink(field);
    expect(links && [...links].map((link) => link.join('=')).join(' ')).toBe(expected);
  });

  test('a link with an anchor counts where that names the resource itself', () => {
    const field = '<a>; rel=next; anchor="x", <b>; anchor=y; rel=next';
    expect([...(parseLink(field, (anchor) => anchor === 'y') ?? [])]).toEqual([['next', 'b']]);
    expect([...(parseLink(field) ?? [])]).toEqual([]);
  });

  test.each(['a; rel=next', '<a; rel=next', '<a> rel=next', '<a>; rel="next', '<a>; rel="next" x', 'null'])(
    'is undefined for %s, and not a list without a next',
    (field) => {
      expect(parseLink(field)).toBeUndefined();
    },
  );

  test.each(['<', '>', '"', ',', ';', '=', '\\', ' ', '<a>,', '<a>;', '<a>;rel="'])(
    'a longest field of %j returns, a longer one is refused',
    (text) => {
      const field = text.repeat(maxLinkLength).slice(0, maxLinkLength);
      expect([true, false]).toContain(parseLink(field) === undefined);
      expect(parseLink(`${field},`)).toBeUndefined();
      expect(parseLink(text.repeat(1_048_576))).toBeUndefined();
    },
  );

  test('reads a field of the longest size to its end', () => {
    const tail = ', <z>; rel="last"';
    const field = '<a>; rel="next"'.padEnd(maxLinkLength - tail.length, ' ') + tail;
    expect(field).toHaveLength(maxLinkLength);
    expect(parseLink(field)?.get('last')).toBe('z');
    expect(parseLink(`${field} `)).toBeUndefined();
  });
});
