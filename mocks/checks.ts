import { methodRules } from '../src/conventions.ts';
import { checkOf } from '../src/options.ts';

// Checks of options that only the mock has.

export const checkString = checkOf((value) => typeof value === 'string', 'a string');

export const checkInteger = checkOf(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'an integer from 0',
);

export const checkDate = checkOf(
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  'a valid Date',
);

// `fetch` sends no TRACE and no TRACK.
const methods: readonly string[] = [...Object.keys(methodRules), 'HEAD'];

export const checkMethod = checkOf(
  (value) => methods.includes(String(value)),
  `one of ${methods.join(', ')}`,
);
