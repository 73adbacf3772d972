/**
 * Replaces secrets in a string that comes from a server, before an error or an event shows it.
 *
 * @param shortest - length of the shortest secret that is replaced; 4 by default
 */
export type Mask = (shown: string, shortest?: number) => string;

/** The secrets of one client. */
export interface Secrets {
  /** Adds secrets. The oldest are dropped, unless they are `lasting`. */
  add(values: readonly string[], lasting?: boolean): void;
  readonly mask: Mask;
}

const masked = '***';

// Shorter strings occur in too many harmless words for masking to hide anything.
const shortestInAny = 4;

/** For strings that are partly known, such as a URL: a masked common word in them would reveal that it is the password. */
export const shortestInOurs = 8;

// Renewed tokens and the headers of `customAuth` change over time; only the latest are kept.
const mostPassing = 100;

// A longer secret is recognised by this many characters at its end.
const comparedLength = 4_096;

// A shorter part of a header is likely the name of a scheme or of an attribute.
const shortestPart = 8;

/** One way to write a secret. */
interface Form {
  readonly value: string;
  /** Length of the secret itself. */
  readonly secretLength: number;
  /** True when `value` is only the end of the secret. */
  readonly isTail: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Base64 of a string in UTF-8; `btoa` takes one character per byte. */
export const toBase64 = (value: string): string =>
  btoa(Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join(''));

/** Lowercases ASCII letters, because `%2f` equals `%2F`. Others stay, because their lower case may be longer. */
const foldCase = (value: string): string => value.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());

/** The ways in which a server may echo a secret. Base64 has no padding here, so that it is found with and without it. */
const waysToWrite = (value: string): readonly string[] => {
  // An unpaired surrogate is sent as the replacement character, and cannot be percent-encoded.
  const wellFormed = decoder.decode(encoder.encode(value));
  const base64 = toBase64(value).replace(/=+$/, '');
  return [
    value,
    encodeURIComponent(wellFormed),
    new URLSearchParams([['', value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
};

/** A secret, and the parts of it that a server may echo alone: `abc` of `Token abc` and of `id=abc`. */
const partsOf = (secret: string): readonly string[] => [
  secret,
  ...secret
    .split(/[\s;,]+/)
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1)])
    .filter(({ length }) => length >= shortestPart),
];

const formsOf = (secret: string): readonly Form[] => {
  const written = new Map<string, boolean>();
  for (const part of new Set(partsOf(secret))) {
    // Three bytes are four characters of base64: after a multiple of three, the rest of a secret has the rest of its base64.
    const skipped = Math.ceil(Math.max(0, part.length - comparedLength) / 3) * 3;
    for (const value of waysToWrite(part.slice(skipped))) written.set(foldCase(value), skipped > 0);
  }
  return Array.from(written, ([value, isTail]) => ({ value, isTail, secretLength: secret.length }));
};

/** The beginning of the run without spaces that ends at an index. */
const startOfRun = (shown: string, end: number): number => {
  let start = end;
  while (start > 0 && !/\s/.test(shown.charAt(start - 1))) start--;
  return start;
};

const endOfPadding = (shown: string, from: number): number => {
  let end = from;
  while (shown.charAt(end) === '=') end++;
  return end;
};

/** Replaces every form of the secrets. The time grows with the string, not with the length of the secrets. */
const replaceForms = (shown: string, forms: readonly Form[], shortest: number): string => {
  const searched = foldCase(shown);
  const found: { readonly start: number; readonly end: number }[] = [];
  for (const { value, secretLength, isTail } of forms) {
    if (secretLength < shortest) continue;
    let end = 0;
    for (let at = searched.indexOf(value); at >= 0; at = searched.indexOf(value, end)) {
      end = at + value.length;
      found.push({ start: isTail ? startOfRun(searched, at) : at, end: endOfPadding(searched, end) });
    }
  }
  found.sort((a, b) => a.start - b.start);
  let result = '';
  let copied = 0;
  for (const { start, end } of found) {
    if (start >= copied) result += shown.slice(copied, start) + masked;
    copied = Math.max(copied, end);
  }
  return result + shown.slice(copied);
};

/** A mask that also replaces the secrets of one request. */
export const withOwnSecrets = (mask: Mask, values: readonly string[]): Mask => {
  const own = values.filter(({ length }) => length >= shortestInAny);
  if (own.length === 0) return mask;
  return (shown, shortest) => replaceForms(mask(shown, shortest), own.flatMap(formsOf), shortestInAny);
};

/** Creates the secrets of a client, which has none at first. */
export const createSecrets = (): Secrets => {
  const lasting = new Set<string>();
  const passing = new Set<string>();
  // The forms are computed when a string is masked, which is rare: a renewal costs only a set entry.
  const written = new Map<string, readonly Form[]>();
  let forms: readonly Form[] | undefined;

  const writeOut = (secret: string): readonly Form[] => {
    const known = written.get(secret) ?? formsOf(secret);
    written.set(secret, known);
    return known;
  };

  return {
    add: (values, isLasting) => {
      const kept = isLasting ? lasting : passing;
      for (const value of values) {
        if (value.length < shortestInAny || kept.has(value)) continue;
        kept.add(value);
        forms = undefined;
        if (passing.size <= mostPassing) continue;
        const [oldest = ''] = passing;
        passing.delete(oldest);
        written.delete(oldest);
      }
    },
    mask: (shown, shortest = shortestInAny) => {
      forms ??= [...lasting, ...passing].flatMap(writeOut);
      return replaceForms(shown, forms, shortest);
    },
  };
};
