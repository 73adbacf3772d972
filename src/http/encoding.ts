const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A string in UTF-8 with one character per byte, as `fetch` gives the value of a header field. */
export const toByteString = (value: string): string =>
  Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join('');

/** Base64 of a string in UTF-8. */
export const toBase64 = (value: string): string => btoa(toByteString(value));

/** Encodes a value as a form does. */
export const formEncode = (value: string): string => new URLSearchParams([['', value]]).toString().slice(1);

/** A string as it is sent: an unpaired surrogate becomes the replacement character. */
export const toWellFormed = (value: string): string => decoder.decode(encoder.encode(value));

/**
 * A way in which a string may be escaped. Which characters are escaped, and the case of digits, is up to its
 * writer.
 */
export interface Escaping {
  /** One escape, which stands for one character. */
  readonly pattern: RegExp;
  readonly decode: (written: string) => string;
}

// One character in UTF-8, of one to four bytes.
const percentPattern =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;

const decodePercent = (written: string): string => {
  try {
    return decodeURIComponent(written);
  } catch {
    // Bytes that UTF-8 does not allow, such as those of a surrogate, stand for no character.
    return written;
  }
};

/** Percent-encoding, as in a URL (RFC 3986 §2.1). */
export const percentEncoding: Escaping = { pattern: percentPattern, decode: decodePercent };

/** Percent-encoding as in a form, where a plus sign is a space. */
export const formEncoding: Escaping = {
  pattern: new RegExp(`\\+|${percentPattern.source}`, 'gi'),
  decode: (written) => (written === '+' ? ' ' : decodePercent(written)),
};

/** The escapes of a JSON string (RFC 8259 §7). */
export const jsonEscaping: Escaping = {
  pattern: /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g,
  decode: (written) => JSON.parse(`"${written}"`) as string,
};
