import { expect, test } from 'vitest';
import { type Mask, maskSecrets, registerMask } from '../../../src/errors/mask-secrets.ts';

test('every mask is applied, to what the one before left', () => {
  const masks: readonly Mask[] = [
    (text) => text.replaceAll('first', '***'),
    (text) => text.replaceAll('second', '***'),
  ];
  for (const mask of masks) registerMask(mask);
  expect(maskSecrets('first and second and third')).toBe('*** and *** and third');
  expect(masks).toHaveLength(2);
});

test('secrets that may be words are left: what is missing would tell them', () => {
  let asked = 0;
  const mask: Mask = (text, shortest) => {
    asked = shortest;
    return text;
  };
  registerMask(mask);
  maskSecrets('a text');
  expect(asked).toBe(8);
});
