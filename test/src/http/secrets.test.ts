import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../../src/http/secrets.ts';
import { forms } from '../../support/canaries.ts';
import { codePoint } from '../../support/code-point.ts';

const maskOf = (...values: readonly string[]) => createSecrets().maskWith(values);

describe.each(['abc', 'ab/+', 'p4ss"word\\/+&= ü', 'x'.repeat(24_576)])('the secret %.20s', (secret) => {
  test.each(Object.entries(forms))('written %s', (_name, format) => {
    const written = format(secret);
    const shown = secret.length >= 4 ? '***' : written;
    expect(maskOf(secret)(`You sent ${written} to us`)).toBe(`You sent ${shown} to us`);
  });
});

test('a secret that holds another one is replaced as a whole', () => {
  expect(maskOf('part-of-it', 'Token part-of-it')('<Token part-of-it> part-of-it')).toBe('<***> ***');
});

test('a caller may leave short ones', () => {
  expect(maskOf('open', 'long-enough')('open long-enough', 8)).toBe('open ***');
});

test('a holder replaces what it held; what a request carries stays with that request', () => {
  const secrets = createSecrets();
  const hold = secrets.holder();
  secrets.holder()(['the-password']);
  hold(['token-1']);
  hold(['token-2']);
  const shown = 'the-password token-1 token-2 carried';
  expect(secrets.mask(shown)).toBe('*** token-1 *** carried');
  const carried: string[] = [];
  const mask = secrets.maskWith(carried);
  carried.push('carried');
  expect(mask(shown)).toBe('*** token-1 *** ***');
});

test('any string can be a secret, and any string can be masked', () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anything = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.array(unit).map((units) => units.join('')),
  );
  fc.assert(
    fc.property(anything, anything, (value, shown) => {
      fc.pre(value.length >= 4);
      expect(maskOf(value)(`${shown} ${value}`).endsWith('***')).toBe(true);
    }),
  );
});
