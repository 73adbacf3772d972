import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxLinkLength, parseLink } from '../../../src/headers/paging.ts';
import { codePoint } from '../../support/code-point.ts';

const token = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/);
const target = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.replaceAll('>', '').trim())
  .filter((text) => text !== '');
const space = fc.constantFrom('', ' ', '\t', '  ');
const parameter = fc.record({
  name: token.filter((name) => name !== 'rel' && name !== 'anchor'),
  value: fc.oneof(fc.constant(undefined), token, fc.string({ maxLength: 12 })),
});
const link = fc.record({
  target,
  relations: fc.array(fc.oneof(token, fc.constantFrom('first', 'prev', 'next', 'last')), {
    minLength: 1,
    maxLength: 3,
  }),
  before: fc.array(parameter, { maxLength: 2 }),
  after: fc.array(parameter, { maxLength: 2 }),
  anchored: fc.boolean(),
  space,
  bare: fc.boolean(),
});
type Link = typeof link extends fc.Arbitrary<infer T> ? T : never;

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
const isToken = (text: string) => /^[a-z][a-z0-9.-]*$/.test(text);

/** The reference writer of RFC 8288 §3. */
const formatLink = ({ target, relations, before, after, anchored, space, bare }: Link) => {
  const parameters = (list: Link['before']) =>
    list.map(({ name, value }) => {
      if (value === undefined) return name;
      return `${name}=${isToken(value) ? value : quote(value)}`;
    });
  const rel = bare && relations.length === 1 ? `rel=${relations[0]}` : `rel=${quote(relations.join(' '))}`;
  const parts = [
    `<${target}>`,
    ...parameters(before),
    rel,
    ...(anchored ? ['anchor="#x"'] : []),
    ...parameters(after),
  ];
  return parts.join(`${space};${space}`);
};

describe('parseLink', () => {
  test('the first of several anchors counts, as the first of several relations does', () => {
    const link = '</a>; rel=next; rel=last; anchor="/own"; anchor="#other"';
    expect([...(parseLink(link, (anchor) => anchor === '/own') ?? [])]).toEqual([['next', '/a']]);
  });

  test('reads back whatever a writer formats; the first link of a relation wins', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 6 }), space, (links, around) => {
        const expected = new Map<string, string>();
        for (const { target, relations, anchored } of links) {
          for (const relation of anchored ? [] : relations) {
            if (!expected.has(relation)) expected.set(relation, target);
          }
        }
        const field = links.map(formatLink).join(`${around},${around}`);
        expect([...(parseLink(field) ?? [['unreadable', field]])]).toEqual([...expected]);
      }),
    );
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
    ['<https://a.test/?page=2>; rel="next"', [['next', 'https://a.test/?page=2']]],
    ['<a,b;c>;rel=next', [['next', 'a,b;c']]],
    ['<a>; title="x, <b>; rel=\\"last\\""; rel="next"', [['next', 'a']]],
    ['<a>; REL="NEXT"', [['next', 'a']]],
    ['<a>; rel=next; rel=last', [['next', 'a']]],
    [
      '<a>; rel=next, <b>; rel="next last"',
      [
        ['next', 'a'],
        ['last', 'b'],
      ],
    ],
    ['<a>; rel = "next"', [['next', 'a']]],
    [
      '<a>; rel="next" <b>; rel="last"',
      [
        ['next', 'a'],
        ['last', 'b'],
      ],
    ],
    [
      '<a>; rel=prev <b>; rel=next',
      [
        ['prev', 'a'],
        ['next', 'b'],
      ],
    ],
    [
      '<a>; rel="next last"',
      [
        ['next', 'a'],
        ['last', 'a'],
      ],
    ], // prettier-ignore
    ['<a>; rel="next"; anchor="#part"', []],
    ['<a>', []],
    ['', []],
    [' , ,', []],
    ['<>; rel=next', [['next', '']]],
    ['<a>; rel=__proto__', [['__proto__', 'a']]],
  ])('%s', (field, expected) => {
    expect([...(parseLink(field) ?? [['unreadable', '']])]).toEqual(expected);
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
