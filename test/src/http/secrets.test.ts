import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets, withOwnSecrets } from '../../../src/http/secrets.ts';
import { forms } from '../../support/canaries.ts';
import { codePoint } from '../../support/code-point.ts';

const secretsOf = (...values: readonly string[]) => {
  const secrets = createSecrets();
  secrets.add(values);
  return secrets;
};

test('what a server echoes of a header field alone is masked as well', () => {
  const { mask } = secretsOf(
    'Token part-of-it-1',
    'theme=dark; sid="part-of-it-2"',
    'Key id=part-of-it-3,alg=a',
  );
  expect(mask('part-of-it-1 and sid="part-of-it-2" and part-of-it-3')).toBe('*** and *** and ***');
});

test('the words around a secret are no secret', () => {
  const { mask } = secretsOf('Token part-of-it-1', 'tint=a; sid=part-of-it-2');
  expect(mask('Token, tint=a, sid')).toBe('Token, tint=a, sid');
});

test('a caller may leave short ones', () => {
  const secrets = secretsOf('open', 'long-enough');
  expect(secrets.mask('open long-enough')).toBe('*** ***');
  expect(secrets.mask('open long-enough', 8)).toBe('open ***');
  secrets.add(['another-one']);
  expect(secrets.mask('open another-one', 8)).toBe('open ***');
});

test('secrets of one request are masked beside those of its client', () => {
  const { mask } = secretsOf('of-the-client');
  const masked = withOwnSecrets(mask, ['abc1', 'key']);
  expect(masked('a key, the key abc1, of-the-client')).toBe('a key, the key ***, ***');
  expect(withOwnSecrets(mask, ['key'])).toBe(mask);
});

test('secrets that overlap leave nothing of each other', () => {
  expect(secretsOf('abcdef', 'defghi').mask('<abcdefghi>')).toBe('<***>');
});

test('characters that every pattern language gives a meaning are compared as they are', () => {
  expect(secretsOf('a.*+?^$()[]{}|\\z').mask('<a.*+?^$()[]{}|\\z> axxz')).toBe('<***> axxz');
});

/** A token as servers make them: no spaces, and a new one each time. */
const tokenOf = (length: number, seed: number): string => {
  let value = '';
  for (let state = seed + 1; value.length < length; ) {
    state = (state * 48_271) % 2_147_483_647;
    value += state.toString(36);
  }
  return value.slice(0, length);
};

const lengths = [1, 2, 3, 4, 8, 255, 4_096, 4_097, 4_098, 4_099, 8_192, 24_575, 24_576, 65_536, 2 ** 20];

describe.each(lengths)('a token of %i characters', (length) => {
  const token = tokenOf(length, length);
  const isMasked = length >= 4;

  test.each(Object.entries(forms))('written %s', (_name, format) => {
    const written = format(token);
    const shown = secretsOf(token).mask(`You sent ${written} to us`);
    expect(shown).toBe(isMasked ? 'You sent *** to us' : `You sent ${written} to us`);
  });
});

test('any string can be a secret, and any string can be masked', () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anything = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(unit).map((units) => units.join('')),
  );
  fc.assert(
    fc.property(fc.array(anything), anything, (values, shown) => {
      const { mask } = secretsOf(...values);
      for (const value of values.filter((secret) => secret.length >= 4)) {
        expect(mask(`${shown} ${value}`).endsWith('***')).toBe(true);
      }
    }),
  );
});

test('after 10,000 renewals the latest tokens are masked, and no more is kept than they need', () => {
  const secrets = createSecrets();
  secrets.add(['the-password'], true);
  const tokens = Array.from({ length: 10_000 }, (_, index) => tokenOf(1_200, index));
  for (const token of tokens) secrets.add([token]);
  expect(secrets.mask(`the-password ${tokens.slice(-50).join(' ')}`)).toBe(`***${' ***'.repeat(50)}`);
  const [first = ''] = tokens;
  expect(secrets.mask(first)).toBe(first);
});

test('a password that was a token before is masked for good', () => {
  const secrets = secretsOf('once-a-token');
  secrets.add(['once-a-token'], true);
  for (let index = 0; index < 200; index++) secrets.add([tokenOf(64, index)]);
  expect(secrets.mask('once-a-token')).toBe('***');
});

test('one client knows nothing of the secrets of 5,000 others', () => {
  const clients = Array.from({ length: 5_000 }, (_, index) => secretsOf(tokenOf(64, index)));
  const [own, foreign] = [tokenOf(64, 7), tokenOf(64, 8)];
  expect(clients[7]?.mask(`${own} ${foreign}`)).toBe(`*** ${foreign}`);
});
