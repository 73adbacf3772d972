/**
 * Replaces secrets in a string before an error or an event shows it.
 *
 * @param shortest - length of the shortest secret that is replaced; 4 by default
 */
export type Mask = (shown: string, shortest?: number) => string;

/** The secrets of one client: those of its options, and what its logins hold at the moment. */
export interface Secrets {
  /** Returns a function that sets what one holder has, in place of what it had before. */
  holder(): (values: readonly string[]) => void;
  readonly mask: Mask;
  /** A mask that also replaces what one request carries. The array may grow until the mask is used. */
  maskWith(carried: readonly string[]): Mask;
}

// Shorter strings occur in too many harmless words for masking to hide anything.
const shortestInAny = 4;

/** For strings that are partly known, such as a URL: a masked common word in them would reveal that it is the password. */
export const shortestInOurs = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Base64 of a string in UTF-8; `btoa` takes one character per byte. */
export const toBase64 = (value: string): string =>
  btoa(Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join(''));

/** Encodes a value as a form does. */
export const formEncode = (value: string): string => new URLSearchParams([['', value]]).toString().slice(1);

/** The ways in which a server may echo a secret: plain, percent-encoded, escaped for JSON, and in base64. */
const formsOf = (secret: string): readonly string[] => {
  // An unpaired surrogate is sent as the replacement character, and cannot be percent-encoded.
  const wellFormed = decoder.decode(encoder.encode(secret));
  const base64 = toBase64(secret);
  return [
    secret,
    encodeURIComponent(wellFormed),
    formEncode(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
  ];
};

const replaceSecrets = (shown: string, secrets: readonly string[], shortest: number): string => {
  // No form is shorter than its secret.
  const possible = secrets.filter(({ length }) => length >= shortest && length <= shown.length);
  // A secret may contain another one.
  const forms = possible.flatMap(formsOf).sort((a, b) => b.length - a.length);
  return forms.reduce((result, form) => result.replaceAll(form, '***'), shown);
};

export const createSecrets = (): Secrets => {
  const held = new Map<object, readonly string[]>();
  const maskWith =
    (carried: readonly string[]): Mask =>
    (shown, shortest = shortestInAny) =>
      replaceSecrets(shown, [...held.values(), carried].flat(), shortest);
  return {
    holder: () => {
      const key = {};
      return (values) => void held.set(key, values);
    },
    mask: maskWith([]),
    maskWith,
  };
};
