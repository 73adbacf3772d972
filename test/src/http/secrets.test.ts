import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { showBody } from '../../../src/errors/error-body.ts';
import { jsonEscaping } from '../../../src/http/encoding.ts';
import { createSecrets } from '../../../src/http/secrets.ts';
import { forms } from '../../support/canaries.ts';
import { codePoint } from '../../support/code-point.ts';
import fc from '../../support/random.ts';

const maskOf = (...values: readonly string[]) => createSecrets().forRequest(values).mask;

describe.each(['abc', 'ab/+', 'p4ss"word\\/+&= ü', 'x'.repeat(24_576)])('the secret %.20s', (secret) => {
  test.each(Object.entries(forms))('written %s', (_name, format) => {
    const written = format(secret);
    const shown = secret.length >= 4 ? '***' : written;
    expect(maskOf(secret)(`You sent ${written} to us`)).toBe(`You sent ${shown} to us`);
  });
});

/** Lower, upper and mixed case of hexadecimal digits; other letters stay. */
const cases: Readonly<Record<string, (digits: string) => string>> = {
  'in lower case': (digits) => digits.toLowerCase(),
  'in upper case': (digits) => digits.toUpperCase(),
  'in mixed case': (digits) => digits.slice(0, -1).toLowerCase() + digits.slice(-1).toUpperCase(),
};

describe.each(Object.entries(cases))('escapes %s', (_case, inCase) => {
  const secret = 'p@ss/wörd:1 "\u{1f511}"';
  const hex = (character: string, digits: number) =>
    inCase(character.charCodeAt(0).toString(16).padStart(digits, '0'));
  const percent = (text: string) => encodeURIComponent(text).replace(/%../g, inCase);
  const everyByte = (text: string) =>
    Array.from(
      new TextEncoder().encode(text),
      (byte) => `%${inCase(byte.toString(16).padStart(2, '0'))}`,
    ).join('');

  test.each<[string, string]>([
    ['percent-encoded', percent(secret)],
    [
      'percent-encoded as in a path, where a few characters stay',
      percent(secret).replace(/%40/g, '@').replace(/%3a/gi, ':'),
    ],
    ['percent-encoded as in a form', percent(secret).replaceAll('%20', '+')],
    ['percent-encoded to the last character', everyByte(secret)],
    ['percent-encoded base64', percent(btoa(unescape(encodeURIComponent(secret))))],
    ['JSON with a slash', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    [
      'JSON in ASCII',
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[^ -~]/g, (character) => `\\u${hex(character, 4)}`),
    ],
    [
      'JSON to the last character',
      [...Array(secret.length).keys()].map((at) => `\\u${hex(secret.charAt(at), 4)}`).join(''),
    ],
  ])('%s', (_form, written) => {
    expect(maskOf(secret)(`{"you": "sent ${written}", "ü": "%zz \\x %ed%a0%80"}`)).toBe(
      '{"you": "sent ***", "ü": "%zz \\x %ed%a0%80"}',
    );
  });
});

test('the bytes of UTF-8 as characters, as fetch reads a header field', () => {
  const inField = (text: string): string => Buffer.from(text).toString('latin1');
  expect(maskOf('pässwörd €')(inField('ü: pässwörd €!'))).toBe(`${inField('ü')}: ***!`);
});

test('secrets that overlap, escaped or not, are replaced together', () => {
  const mask = maskOf('one-two', 'two-six', 'p@ss');
  expect(mask('one-two-six one-two%2dsix p%40ssp@ss')).toBe('*** *** ******');
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
  const { mask, carry } = secrets.forRequest([]);
  carry(['carried']);
  expect(mask(shown)).toBe('*** token-1 *** ***');
});

test('the beginning of a string is masked as in the whole string', () => {
  const secret = fc.string({ unit: codePoint, minLength: 4, maxLength: 12 });
  const writtenIn = (value: string) =>
    fc.constantFrom(...Object.values(forms).map((format) => format(value)));
  const example = fc.tuple(secret, secret).chain(([one, other]) => {
    const part = fc.oneof(writtenIn(one), writtenIn(other), fc.string({ unit: codePoint, maxLength: 4 }));
    return fc.record({ secrets: fc.constant([one, other]), parts: fc.array(part, { maxLength: 20 }) });
  });
  fc.assert(
    fc.property(example, fc.nat(100), ({ secrets, parts }, length) => {
      const text = parts.join('');
      const mask = maskOf(...secrets);
      const [whole, beginning] = [mask(text), mask(text, 4, length)];
      expect(whole.startsWith(beginning)).toBe(true);
      // What is left out begins after the wanted part.
      expect(whole.length - beginning.length).toBeLessThanOrEqual(Math.max(0, text.length - length));
    }),
    { numRuns: 2_000 },
  );
});

test('an error searches only the beginning of a long body', () => {
  const decode = vi.spyOn(jsonEscaping, 'decode');
  onTestFinished(() => decode.mockRestore());
  const body = '\\n'.repeat(100_000);
  expect(showBody(`${body}the-password`, maskOf('the-password'))).toBe(body.slice(0, 2_000));
  expect(decode.mock.calls.length).toBeGreaterThan(2_000);
  expect(decode.mock.calls.length).toBeLessThan(40_000);
});

test('an error searches on where markup hides the words of a page', () => {
  const page = `<html><style>${'a'.repeat(50_000)}</style><p>Sorry, the-password is wrong</p></html>`;
  expect(showBody(page, maskOf('the-password'))).toBe('Sorry, *** is wrong');
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
