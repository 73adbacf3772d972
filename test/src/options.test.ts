import { InvalidRequestError } from 'restkin';
import { expect, test } from 'vitest';
import { createReader } from '../../src/options.ts';

const read = createReader({ maxPages: undefined, limits: undefined, limit: undefined, on: undefined });

test.each([
  ['the most similar name', 'lmit', 'did you mean "limit"?'],
  ['a name in other letters', 'MAXPAGES', 'did you mean "maxPages"?'],
  ['every name where a short one differs', 'in', 'its options are maxPages, limits, limit, on'],
  ['every name where none is similar', 'x'.repeat(1_000), 'its options are maxPages, limits, limit, on'],
])('the message for an unknown option offers %s', (_what, name, advice) => {
  const message = `createClient has no option "${name.slice(0, 100)}"; ${advice}`;
  expect(() => read({ [name]: 1 } as never, 'createClient')).toThrow(new InvalidRequestError(message));
});
