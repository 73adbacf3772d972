import { formatBasic } from '../auth/basic.ts';
import {
  accessTokenLifetimeS,
  authScheme,
  formType,
  grantType,
  header,
  jsonType,
  tokenPath,
} from '../conventions.ts';
import type { HeaderFields } from '../http/fields.ts';
import { isObject } from '../options.ts';
import { type Exchange, once, valueIn } from './exchange.ts';
import { cannotTell, notDeclared } from './judgement.ts';
import type { Examination } from './options.ts';
import type { SendOptions, Wire } from './wire.ts';

export type Form = Readonly<Record<string, string>>;

export const stringIn = (exchange: Exchange, name: string): string | undefined => {
  const value = valueIn(exchange, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

// The share of its lifetime in which an access token is used, so that the last request has time to arrive.
const usedShare = 0.8;

const missing = (): never => cannotTell('no username and password were given');

/** Long words in a response of the token endpoint, under any name, because each may be a token. */
const wordsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return /^\S{20,}$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
};

export const createSession = ({ authUrl, credentials, headers, secrets }: Examination, wire: Wire) => {
  const basic = credentials && formatBasic(credentials);
  const known = new Set(Object.values(headers ?? {}));
  const hold = secrets.holder();
  const addSecrets = (values: readonly string[]): void => {
    for (const value of values) known.add(value);
    hold([...known]);
  };
  if (credentials !== undefined && basic !== undefined) {
    const { username, password } = credentials;
    addSecrets([password, `${username}:${password}`, basic.slice(authScheme.basic.length + 1)]);
  }
  let accessToken: string | undefined;
  let refreshToken: string | undefined;
  // On the clock of `performance.now()`.
  let endsAt = 0;

  const requestTokens = async (form: Form | undefined, options?: SendOptions): Promise<Exchange> => {
    if (authUrl === undefined) return notDeclared('the API takes no tokens');
    if (form === undefined) return missing();
    const exchange = await wire.send(
      {
        method: 'POST',
        url: `${authUrl.href}/${tokenPath}`,
        headers: { [header.contentType]: formType, [header.accept]: jsonType },
        body: new URLSearchParams(form).toString(),
      },
      // Nothing was created before the first token. Later, a removal may need the new token.
      { ...options, mayBeCut: accessToken === undefined },
    );
    addSecrets(wordsIn(exchange.json));
    return exchange;
  };

  const keep = (exchange: Exchange): Exchange => {
    const token = stringIn(exchange, 'access_token');
    if (exchange.status !== 200 || token === undefined) return exchange;
    accessToken = token;
    refreshToken = stringIn(exchange, 'refresh_token');
    addSecrets([token, refreshToken ?? '']);
    const lifetime = valueIn(exchange, 'expires_in');
    const seconds = typeof lifetime === 'number' && lifetime > 0 ? lifetime : accessTokenLifetimeS;
    endsAt = performance.now() + seconds * 1_000 * usedShare;
    return exchange;
  };

  const logIn = async (options?: SendOptions): Promise<Exchange> => {
    const form = credentials && { grant_type: grantType.password, ...credentials };
    return keep(await requestTokens(form, options));
  };
  const login = once(() => logIn());

  return {
    takesTokens: authUrl !== undefined,
    requestTokens: (form: Form) => requestTokens(form),
    login,
    /** The response to a refresh request with the latest refresh token, whose tokens are used from then on. */
    renew: async (): Promise<Exchange> => {
      await login();
      if (refreshToken === undefined) return cannotTell('there is no refresh token');
      return keep(await requestTokens({ grant_type: grantType.refreshToken, refresh_token: refreshToken }));
    },
    authorize: async (options?: SendOptions): Promise<HeaderFields> => {
      if (headers !== undefined) return headers;
      if (authUrl === undefined) return { [header.authorization]: basic ?? missing() };
      const { status } = await login();
      if (accessToken !== undefined && performance.now() > endsAt) await logIn(options);
      if (accessToken === undefined) return cannotTell(`there is no access token: the login got ${status}`);
      return { [header.authorization]: `${authScheme.bearer} ${accessToken}` };
    },
  };
};

export type Session = ReturnType<typeof createSession>;

export const requireTokens = async (session: Session): Promise<Exchange> => {
  const exchange = await session.login();
  if (exchange.status !== 200) return cannotTell(`the login got ${exchange.status}`);
  return isObject(exchange.json) ? exchange : cannotTell('the response to the login is not a JSON object');
};
