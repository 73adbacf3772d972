// After a separator, or alone, a number that counts up: the next ones are not far away.
const counted = /^(|.*[-_:.])[1-9]\d{0,9}$/;

const digits = '0123456789';
const hexLetters = 'abcdef';

/**
 * Another character of the same kind, so that a hexadecimal id stays one. `x` and `z` are in every other
 * alphabet.
 */
const otherCharacter = (character: string): string => {
  const lower = character.toLowerCase();
  const alphabet = [digits, hexLetters].find((one) => one.includes(lower));
  const mirrored = alphabet?.at(-1 - alphabet.indexOf(lower));
  const other = mirrored ?? (lower === 'z' ? 'x' : 'z');
  return character === lower ? other : other.toUpperCase();
};

/**
 * An id that no resource has, in the form of an id that one has: a server may refuse an id of another form
 * with 400.
 */
export const toUnknownId = (id: string): string => {
  const [, prefix] = counted.exec(id) ?? [];
  if (prefix !== undefined) return `${prefix}2000000011`;
  // The beginning may have a meaning, such as a kind, a version or a time.
  const [end = ''] = /[a-z\d]{4,12}$/i.exec(id) ?? [id.slice(-12)];
  return id.slice(0, id.length - end.length) + end.replace(/[a-z\d]/gi, otherCharacter);
};

/** True where nothing but the number itself can be wrong with an id that is made up. */
export const isPlainNumber = (id: string): boolean => /^\d+$/.test(id);
