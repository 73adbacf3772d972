import { formatBasic } from '../auth/basic.ts';
import { authScheme, formType, grantType, header, jsonType, tokenPath } from '../conventions.ts';
import type { HeaderFields } from '../http/message.ts';
import type { Secrets } from '../http/secrets.ts';
import type { BaseUrl } from '../http/url.ts';
import type { Credentials } from '../index.ts';
import { isObject } from '../schema/read-options.ts';
import type { Exchange, WireRequest } from './exchange.ts';
import { cannotTell } from './judgement.ts';
import type { SendOptions, Wire } from './wire.ts';

/** Where findings of the token endpoint stand. */
export const tokenEndpoint = 'token endpoint';

/** The parameters of a token request (§4.1). */
export type Form = Readonly<Record<string, string>>;

/** Who the doctor is to the API. */
export interface Session {
  /** Requests tokens with this form; undefined for an API without a token endpoint. */
  readonly requestTokens: ((form: Form) => Promise<Exchange>) | undefined;
  /** The response to the login; it is requested once. */
  login(): Promise<Exchange>;
  /** The response to a refresh request with the latest refresh token, whose tokens are used from then on. */
  renew(): Promise<Exchange>;
  /** The header fields that authorise a request. The check ends when there is no login. */
  authorize(options?: SendOptions): Promise<HeaderFields>;
  /** The form of a login of its own. */
  readonly passwordForm: Form;
}

/** What a session is made of. */
export interface SessionOptions {
  readonly wire: Wire;
  readonly secrets: Secrets;
  readonly authUrl: BaseUrl | undefined;
  readonly credentials: Credentials | undefined;
  /** The header fields of an API's own style of authentication (§5). */
  readonly headers: HeaderFields | undefined;
}

/** A string of a token response; undefined for anything else. */
export const stringIn = ({ json }: Exchange, name: string): string | undefined => {
  const value = isObject(json) ? json[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

// Part of the lifetime of an access token; the next request has time to arrive.
const usedPart = 0.8;

const missing = (): never => cannotTell('no username and password were given');

/** Long words of a response of the token endpoint, at any name: one of them may be a token. */
const wordsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return /^\S{20,}$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : [];
};

/** A session of a token API (§5.2). */
const tokenSession = (options: SessionOptions, authUrl: BaseUrl): Session => {
  const { wire, secrets, credentials } = options;
  let login: Promise<Exchange> | undefined;
  let latest: Exchange | undefined;
  let endsAt = 0;
  /** A later login; collections that are read at the same time share it, because a server may end the older one. */
  let loggingIn: Promise<Exchange> | undefined;

  const requestTokens = async (form: Form, options?: SendOptions): Promise<Exchange> => {
    const request: WireRequest = {
      method: 'POST',
      url: `${authUrl.href}/${tokenPath}`,
      headers: { [header.contentType]: formType, [header.accept]: jsonType },
      body: new URLSearchParams(form).toString(),
      where: tokenEndpoint,
    };
    // Before the first token nothing was created. After it, what was created may need the new token to be removed.
    const exchange = await wire.send(request, { ...options, mayBeCut: latest === undefined });
    secrets.add(wordsIn(exchange.json));
    return exchange;
  };

  const keep = (exchange: Exchange): Exchange => {
    if (exchange.status !== 200 || stringIn(exchange, 'access_token') === undefined) return exchange;
    latest = exchange;
    secrets.add([stringIn(exchange, 'access_token') ?? '', stringIn(exchange, 'refresh_token') ?? '']);
    const { expires_in: lifetime } = exchange.json as { readonly expires_in?: unknown };
    const seconds = typeof lifetime === 'number' && lifetime > 0 ? lifetime : 600;
    endsAt = performance.now() + seconds * 1_000 * usedPart;
    return exchange;
  };

  const passwordForm = { grant_type: grantType.password, ...(credentials ?? { username: '', password: '' }) };
  const logIn = async (options?: SendOptions): Promise<Exchange> =>
    credentials === undefined ? missing() : keep(await requestTokens(passwordForm, options));
  const renew = async (): Promise<Exchange> => {
    await session.login();
    const refreshToken = latest && stringIn(latest, 'refresh_token');
    if (refreshToken === undefined) return cannotTell('there is no refresh token');
    return keep(await requestTokens({ grant_type: grantType.refreshToken, refresh_token: refreshToken }));
  };

  const session: Session = {
    requestTokens,
    passwordForm,
    login: () => {
      login ??= logIn();
      return login;
    },
    renew,
    authorize: async (options) => {
      const { status } = await session.login();
      if (latest !== undefined && performance.now() > endsAt) {
        loggingIn ??= logIn(options).finally(() => {
          loggingIn = undefined;
        });
        await loggingIn;
      }
      const token = latest && stringIn(latest, 'access_token');
      if (token === undefined) return cannotTell(`there is no access token: the login got ${status}`);
      return { [header.authorization]: `${authScheme.bearer} ${token}` };
    },
  };
  return session;
};

/** Creates the session of one diagnosis: tokens, Basic, or header fields of the API's own. */
export const createSession = (options: SessionOptions): Session => {
  const { authUrl, credentials, headers, secrets } = options;
  if (headers !== undefined) secrets.add(Object.values(headers), true);
  if (credentials !== undefined) {
    const { username, password } = credentials;
    const basic = formatBasic(credentials).slice(authScheme.basic.length + 1);
    secrets.add([password, `${username}:${password}`, basic], true);
  }
  if (authUrl !== undefined) return tokenSession(options, authUrl);
  const none = async (): Promise<Exchange> => cannotTell('the API takes no tokens');
  return {
    requestTokens: undefined,
    passwordForm: {},
    login: none,
    renew: none,
    authorize: async () => {
      if (headers !== undefined) return headers;
      return credentials === undefined ? missing() : { [header.authorization]: formatBasic(credentials) };
    },
  };
};
