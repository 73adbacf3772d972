const mask = '***';

// Shorter texts stand in harmless words too often for their masking to hide anything.
const shortest = 4;

const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** The ways in which a server may echo a secret: as it is, URL-encoded, as base64. */
const formsOf = (secret: string): readonly string[] => [secret, encodeURIComponent(secret), toBase64(secret)];

/** Masks secrets in a text by their value, wherever they stand. */
export const redact = (text: string, secrets: readonly string[]): string => {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    for (const form of formsOf(secret)) masked = masked.replaceAll(form, mask);
  }
  return masked;
};
