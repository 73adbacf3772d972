import { expect, test } from 'vitest';
import { createSecrets, maskValues } from '../../../src/http/secrets.ts';

test('what a server echoes of a header field alone is masked as well', () => {
  const secrets = createSecrets();
  secrets.add(['Token part-of-it-1', 'theme=dark; sid="part-of-it-2"', 'Key id=part-of-it-3,alg=a']);
  const text = 'part-of-it-1 and sid="part-of-it-2" and part-of-it-3';
  expect(secrets.mask(text)).toBe('*** and *** and ***');
});

test('the words around a secret are no secret', () => {
  const secrets = createSecrets();
  secrets.add(['Token part-of-it-1', 'tint=a; sid=part-of-it-2']);
  expect(secrets.mask('Token, tint=a, sid')).toBe('Token, tint=a, sid');
});

test('a caller may leave short ones', () => {
  const secrets = createSecrets();
  secrets.add(['open', 'long-enough']);
  expect(secrets.mask('open long-enough')).toBe('*** ***');
  expect(secrets.mask('open long-enough', 8)).toBe('open ***');
  secrets.add(['another-one']);
  expect(secrets.mask('open another-one', 8)).toBe('open ***');
});

test('values for one text', () => {
  expect(maskValues('a key, the key abc1', ['abc1', 'key'])).toBe('a key, the key ***');
  expect(maskValues('nothing', [])).toBe('nothing');
});
