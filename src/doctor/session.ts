import { formatBasic } from '../auth/basic.ts';
import { toTokenRequestParts } from '../auth/token/request-options.ts';
import { accessTokenLifetimeS, authScheme, formType, grantType, header, jsonType } from '../conventions.ts';
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

/** The login of a run. */
export interface Session {
  readonly takesTokens: boolean;
  /** False for an API of another family, whose access tokens may have any form. */
  readonly takesJwts: boolean;
  /** A token request that is judged; its tokens are not used. */
  requestTokens(form: Form): Promise<Exchange>;
  /** Logs in once with the password. */
  login(): Promise<Exchange>;
  /** The response to a refresh request with the latest refresh token, whose tokens are used from then on. */
  renew(): Promise<Exchange>;
  /** The header fields of a request; ends the check where there are none. */
  authorize(options?: SendOptions): Promise<HeaderFields>;
}

export const createSession = (examination: Examination, wire: Wire): Session => {
  const { api, authUrl, credentials, headers, secrets } = examination;
  const tokenRequest = toTokenRequestParts(examination);
  const basic = credentials && formatBasic(credentials);
  /** Masks values from now on, beside those of before. */
  const addSecrets = (values: readonly string[]): void => secrets.holder()(values);
  addSecrets([...Object.values(headers ?? {}), ...tokenRequest.secrets]);
  if (credentials !== undefined && basic !== undefined) {
    const { username, password } = credentials;
    addSecrets([password, `${username}:${password}`, basic.slice(authScheme.basic.length + 1)]);
  }
  /** The latest response with an access token. */
  let tokens: Exchange | undefined;
  // On the clock of `performance.now()`.
  let endsAt = 0;

  const requestTokens = async (form: Form | undefined, options?: SendOptions): Promise<Exchange> => {
    if (authUrl === undefined) return notDeclared('the API is not examined with token');
    if (form === undefined) return missing();
    const headers = { ...tokenRequest.headers, [header.contentType]: formType, [header.accept]: jsonType };
    const body = new URLSearchParams({ ...tokenRequest.form, ...form }).toString();
    const url = `${authUrl.href}/${tokenRequest.path}`;
    const request = { method: 'POST', url, headers, body } as const;
    const exchange = await wire.send(request, options);
    addSecrets(['access_token', 'refresh_token'].map((name) => stringIn(exchange, name) ?? ''));
    return exchange;
  };

  const keep = (exchange: Exchange): Exchange => {
    if (exchange.status !== 200 || stringIn(exchange, 'access_token') === undefined) return exchange;
    tokens = exchange;
    const given = valueIn(exchange, 'expires_in');
    // `Number` throws for an object whose `toString` is a value of the server.
    const seconds = (typeof given !== 'object' && Number(given)) || accessTokenLifetimeS;
    endsAt = performance.now() + seconds * 1_000 * usedShare;
    return exchange;
  };

  const logIn = async (options?: SendOptions): Promise<Exchange> => {
    const form = credentials && {
      grant_type: grantType.password,
      ...credentials,
      ...tokenRequest.passwordForm,
    };
    return keep(await requestTokens(form, options));
  };
  const login = once(() => logIn());

  return {
    takesTokens: authUrl !== undefined,
    takesJwts: api.wire === undefined,
    requestTokens: (form) => requestTokens(form),
    login,
    renew: async () => {
      await login();
      const token = tokens && stringIn(tokens, 'refresh_token');
      if (token === undefined) return cannotTell('there is no refresh token');
      return keep(await requestTokens({ grant_type: grantType.refreshToken, refresh_token: token }));
    },
    authorize: async (options) => {
      if (headers !== undefined) return headers;
      if (authUrl === undefined) return { [header.authorization]: basic ?? missing() };
      const { status } = await login();
      if (tokens !== undefined && performance.now() > endsAt) await logIn(options);
      const token = tokens && stringIn(tokens, 'access_token');
      if (token === undefined) return cannotTell(`there is no access token: the login got ${status}`);
      return { [header.authorization]: `${authScheme.bearer} ${token}` };
    },
  };
};

// RFC 6749 §5.2: what token endpoints say with 400 of a wrong password, and of a wrong or missing client.
const refusals: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/** True where the token endpoint refused the user or the client. */
export const isRefused = (exchange: Exchange): boolean =>
  exchange.status === 401 || (exchange.status === 400 && refusals.has(valueIn(exchange, 'error')));

export const requireTokens = async (session: Session): Promise<Exchange> => {
  const exchange = await session.login();
  if (exchange.status !== 200) return cannotTell(`the login got ${exchange.status}`);
  return isObject(exchange.json) ? exchange : cannotTell('the response to the login is not a JSON object');
};
