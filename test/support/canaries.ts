import { inspect } from 'node:util';
import type { Observers } from 'restkin';

export const username = 'ada+canary';
export const password = 'p4ss"word\\/+&= ü';
export const accessToken = 'access-canary/AbC+123.payload.signature==';
export const refreshToken = 'refresh-canary/XyZ+456.payload.signature==';
export const basic = Buffer.from(`${username}:${password}`).toString('base64');

/** The ways in which a secret may stand in a text. */
export const forms: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  'URL-encoded': encodeURIComponent,
  'form-encoded': (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'escaped for JSON': (secret) => JSON.stringify(secret).slice(1, -1),
};
export const formsOf = (secret: string): readonly string[] =>
  Object.values(forms).map((format) => format(secret));
export const carried = { token: [accessToken], basic: [password, basic], custom: [accessToken] } as const;
export const canaries = [password, accessToken, refreshToken, basic].flatMap(formsOf);

const textsOf = (value: unknown): string => {
  const texts = [inspect(value, { depth: 20, showHidden: true, getters: true }), JSON.stringify(value) ?? ''];
  for (let at = value; at instanceof Error; at = at.cause) {
    texts.push(at.message, String(at.stack), String(at), at.toString(), inspect(at.cause, { depth: 20 }));
    texts.push(JSON.stringify(at, Object.getOwnPropertyNames(at)));
  }
  return texts.join('\n');
};
export const leaksIn = (value: unknown): readonly string[] => {
  const text = textsOf(value);
  return canaries.filter((canary) => text.includes(canary));
};

/** Everything that an application or its tools may see of one client. */
export const watch = () => {
  const seen: unknown[] = [];
  const keep = (event: unknown) => void seen.push(event);
  const on: Required<Pick<Observers, 'request' | 'response' | 'retry' | 'token' | 'deprecation'>> = {
    request: keep,
    response: keep,
    retry: keep,
    token: keep,
    deprecation: keep,
  };
  return { seen, on };
};
