import type { Mask } from '../errors/error-body.ts';
import {
  type Escaping,
  formEncoding,
  jsonEscaping,
  percentEncoding,
  toBase64,
  toByteString,
  toWellFormed,
} from './encoding.ts';

/** The secrets of one client: those of its options, and what its logins hold at the moment. */
export interface Secrets {
  /** Returns a function that sets what one holder has, in place of what it had before. */
  holder(): (values: readonly string[]) => void;
  readonly mask: Mask;
  /** For one request: a mask that also replaces what it carries. */
  forRequest(carried: readonly string[]): RequestSecrets;
}

/** The secrets of one request. */
export interface RequestSecrets {
  readonly mask: Mask;
  /** Adds secrets to those that the request carries. */
  readonly carry: (secrets: readonly string[]) => void;
}

/** The shortest secret that is masked: shorter ones occur in too many harmless words. */
const minLength = 4;

/**
 * The shortest secret that is masked in a string that is partly known, such as a URL: a common word masked in
 * it would reveal that it is the password.
 */
export const minLengthInKnownText = 8;

/** The spellings of a secret, before anything in them is escaped. */
const spellingsOf = (secret: string): readonly string[] => {
  const base64 = toBase64(secret);
  return [
    ...new Set([secret, toWellFormed(secret), toByteString(secret), base64, base64.replace(/=+$/, '')]),
  ];
};

const escapings: readonly Escaping[] = [percentEncoding, formEncoding, jsonEscaping];

/** A part of a string, from its first character to the one after its last. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the spellings stand.
 *
 * Strings are compared, and no pattern is made of a secret: a pattern may be too large, or invalid, and the
 * message of that failure shows it.
 */
const find = (text: string, spellings: readonly string[]): readonly Range[] => {
  const found: Range[] = [];
  for (const spelling of spellings) {
    let start = text.indexOf(spelling);
    while (start >= 0) {
      const end = start + spelling.length;
      found.push({ start, end });
      start = text.indexOf(spelling, end);
    }
  }
  return found;
};

/** Joins ranges that overlap: a secret may contain another one, or a part of it. */
const join = (ranges: readonly Range[]): readonly Range[] => {
  const joined: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || range.start >= last.end) joined.push(range);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return joined;
};

/**
 * Makes a function that leads from a position in the decoded string to that in the string itself. It is
 * called with positions in ascending order. A position at an escape leads to its beginning.
 */
const createLocator = (shown: string, { pattern, decode }: Escaping): ((position: number) => number) => {
  const escapes = shown.matchAll(pattern);
  let next = escapes.next();
  // How much longer the string is than the decoded one, up to here.
  let excess = 0;
  return (position) => {
    while (!next.done && next.value.index - excess < position) {
      const [written] = next.value;
      excess += written.length - decode(written).length;
      next = escapes.next();
    }
    return position + excess;
  };
};

/** Where the spellings stand once the escapes in the string are decoded. */
const findEscaped = (shown: string, spellings: readonly string[], escaping: Escaping): readonly Range[] => {
  const decoded = shown.replace(escaping.pattern, escaping.decode);
  const locate = createLocator(shown, escaping);
  return join(find(decoded, spellings)).map(({ start, end }) => ({ start: locate(start), end: locate(end) }));
};

// Three bytes in UTF-8 are one character, and `%e2%82%ac` has nine.
const longestEscape = 9;

const replaceSecrets = (
  shown: string,
  secrets: readonly string[],
  shortest: number,
  length: number,
): string => {
  // No spelling is shorter than its secret, and none is shorter when it is escaped.
  const possible = secrets.filter((one) => one.length >= shortest && one.length <= shown.length);
  const spellings = possible.flatMap(spellingsOf);
  // A secret that begins in the part that is wanted is found as a whole.
  const margin = longestEscape * Math.max(0, ...spellings.map((spelling) => spelling.length));
  const searched = shown.slice(0, length + margin);
  const escaped = escapings.flatMap((escaping) => findEscaped(searched, spellings, escaping));
  let replaced = '';
  let end = 0;
  for (const range of join([...find(searched, spellings), ...escaped])) {
    if (range.start >= length) break;
    replaced += `${searched.slice(end, range.start)}***`;
    end = range.end;
  }
  return replaced + searched.slice(end, length);
};

export const createSecrets = (): Secrets => {
  const held = new Map<object, readonly string[]>();
  const forRequest = (given: readonly string[]): RequestSecrets => {
    const carried = [...given];
    return {
      mask: (shown, shortest = minLength, length = shown.length) =>
        replaceSecrets(shown, [...held.values(), carried].flat(), shortest, length),
      carry: (secrets) => void carried.push(...secrets),
    };
  };
  return {
    holder: () => {
      const key = {};
      return (values) => void held.set(key, values);
    },
    mask: forRequest([]).mask,
    forRequest,
  };
};
