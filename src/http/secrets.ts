/** What a client sends and must not show: texts of a server are masked by them before they become part of an error. */
export interface Secrets {
  /** Remembers secrets. The oldest are forgotten, unless they are `lasting`. */
  add(values: readonly string[], lasting?: boolean): void;
  /** Masks every secret in a text, however the server wrote it. */
  mask(text: string): string;
}

const masked = '***';

// Shorter texts stand in harmless words too often for their masking to hide anything.
const shortest = 4;

// Renewed tokens and the fields of customAuth come and go.
const mostPassing = 100;

const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** The ways in which a server may write what it was sent; base64 without its padding is in base64 with it. */
const formsOf = (secret: string): readonly string[] => {
  const base64 = btoa(bytesOf(secret)).replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
};

const escapeForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Makes an empty memory of secrets, one per client. */
export const createSecrets = (): Secrets => {
  const lasting = new Set<string>();
  const passing = new Set<string>();
  let pattern: RegExp | undefined;

  // Made when a text is to be masked, which is when something failed: a renewal costs a set entry.
  const toPattern = (): RegExp | undefined => {
    const secrets = [...lasting, ...passing].filter(({ length }) => length >= shortest);
    // A long form may hold a short one, so it is tried first. `i` is for `%2f`, which is `%2F`.
    const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    return forms.length === 0 ? undefined : new RegExp(`(?:${forms.map(escapeForRegExp).join('|')})=*`, 'gi');
  };

  return {
    add: (values, isLasting = false) => {
      for (const value of values) {
        if (lasting.has(value) || passing.has(value)) continue;
        (isLasting ? lasting : passing).add(value);
        if (passing.size > mostPassing) passing.delete(passing.values().next().value as string);
        pattern = undefined;
      }
    },
    mask: (text) => {
      pattern ??= toPattern();
      return pattern === undefined ? text : text.replace(pattern, masked);
    },
  };
};
