import { registerMask } from '../errors/mask-secrets.ts';

/** What a client sends and must not show: texts of a server are masked by them before they become part of an error. */
export interface Secrets {
  /** Remembers secrets. The oldest are forgotten, unless they are `lasting`. */
  add(values: readonly string[], lasting?: boolean): void;
  /**
   * Masks every secret in a text, however the server wrote it.
   *
   * @param shortest - characters of the shortest secret that is masked; 4 by default
   */
  readonly mask: (text: string, shortest?: number) => string;
}

const masked = '***';

// Shorter texts stand in harmless words too often for their masking to hide anything.
const shortestInAny = 4;

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

// A shorter part of a header field is the name of a scheme or of an attribute.
const shortestPart = 8;

/** A secret, and what of it a server may echo alone: `abc` of `Token abc` and of `id=abc`. */
const partsOf = (secret: string): readonly string[] => [
  secret,
  ...secret
    .split(/[\s;,]+/)
    .flatMap((part) => [part, part.slice(part.indexOf('=') + 1)])
    .filter(({ length }) => length >= shortestPart),
];

/** Finds every form of the secrets; undefined when there is none of that length. */
const toPattern = (secrets: readonly string[], shortest: number): RegExp | undefined => {
  const long = secrets.filter(({ length }) => length >= shortest);
  // A long form may hold a short one, so it is tried first. `i` is for `%2f`, which is `%2F`.
  const forms = [...new Set(long.flatMap(partsOf).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return forms.length === 0 ? undefined : new RegExp(`(?:${forms.map(escapeForRegExp).join('|')})=*`, 'gi');
};

const replaceAll = (text: string, pattern: RegExp | undefined): string =>
  pattern === undefined ? text : text.replace(pattern, masked);

/** Masks these secrets in a text, for those that are needed once. */
export const maskValues = (text: string, values: readonly string[]): string =>
  replaceAll(text, toPattern(values, shortestInAny));

/** Makes an empty memory of secrets, one per client; errors and events are without them from then on. */
export const createSecrets = (): Secrets => {
  const lasting = new Set<string>();
  const passing = new Set<string>();
  // Made when a text is to be masked, which is when something failed: a renewal costs a set entry.
  const patterns = new Map<number, RegExp | undefined>();

  const secrets: Secrets = {
    add: (values, isLasting = false) => {
      for (const value of values) {
        if (lasting.has(value) || passing.has(value)) continue;
        (isLasting ? lasting : passing).add(value);
        if (passing.size > mostPassing) passing.delete(passing.values().next().value as string);
        patterns.clear();
      }
    },
    mask: (text, shortest = shortestInAny) => {
      if (!patterns.has(shortest)) patterns.set(shortest, toPattern([...lasting, ...passing], shortest));
      return replaceAll(text, patterns.get(shortest));
    },
  };
  registerMask(secrets.mask);
  return secrets;
};
