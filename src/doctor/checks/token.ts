import {
  accessTokenLifetimeS,
  authScheme,
  grantType,
  header,
  refreshTokenLifetimeS,
} from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import { wait } from '../../http/timing.ts';
import { isObject } from '../../options.ts';
import { type Exchange, valueIn } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandStatus } from '../judgement.ts';
import { type Form, type Session, stringIn } from '../session.ts';
import type { Subject } from '../subject.ts';

/** The token endpoint of the API under examination. */
export interface TokenSubject {
  readonly session: Session;
  /** Whether a used refresh token may be presented. */
  readonly allowReuse: boolean;
  /** A collection whose list an access token opens; undefined where there is none. */
  readonly open: Subject | undefined;
}

/** The response to a successful login; the check ends otherwise. */
const tokens = async ({ session }: TokenSubject): Promise<Exchange> => {
  const exchange = await session.login();
  if (exchange.status !== 200) cannotTell(`the login got ${exchange.status}`);
  if (!isObject(exchange.json)) cannotTell('the response to the login is not a JSON object');
  return exchange;
};

/** Whether an access token gives access to the API, as far as one request can show. */
const opens = async ({ open }: TokenSubject, accessToken: string): Promise<boolean> => {
  const headers = { [header.authorization]: `${authScheme.bearer} ${accessToken}` };
  const exchange = await open?.send({ headers }, { isAnonymous: true });
  return exchange?.status === 200 || exchange?.status === 403;
};

const describeField = (value: unknown): string => {
  if (value === undefined) return 'it is missing';
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
};

/** True for the form of a JWT (RFC 7519), without a look at its signature. */
const isJwt = (token: string): boolean => {
  const parts = token.split('.');
  const decode = (part: string): unknown => JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
  try {
    return parts.length === 3 && parts.slice(0, 2).every((part) => isObject(decode(part)));
  } catch {
    return false;
  }
};

const checkToken = (name: string) => async (subject: TokenSubject) => {
  const exchange = await tokens(subject);
  const token = stringIn(exchange, name);
  demand(token !== undefined, exchange, `\`${name}\` is a string`, describeField(valueIn(exchange, name)));
  demand(isJwt(token ?? ''), exchange, `\`${name}\` is a JWT`, 'a string that is not a JWT');
};

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const checkSeconds = (name: string) => async (subject: TokenSubject) => {
  const exchange = await tokens(subject);
  const value = valueIn(exchange, name);
  demand(isSeconds(value), exchange, `\`${name}\` is an integer of seconds above 0`, describeField(value));
};

const overOneSecondMs = 1_100;

// Seconds that may pass between the issue of a token and its response.
const tolerance = 10;

const checkLifetime = (name: string, seconds: number) => async (subject: TokenSubject) => {
  const exchange = await tokens(subject);
  const value = valueIn(exchange, name);
  if (!isSeconds(value)) return cannotTell(`\`${name}\` is not a number of seconds; see §2.2`);
  const isNear = value <= seconds && value >= seconds - tolerance;
  demand(isNear, exchange, `\`${name}\` of a new token is ${seconds}`, String(value));
};

const withoutPassword = { grant_type: grantType.password, username: 'restkin-doctor' };
const withoutToken = { grant_type: grantType.refreshToken };
const unknownGrant = { grant_type: 'restkin_doctor' };

const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;

const checkRequired =
  (form: Form, what: string) =>
  async ({ session }: TokenSubject) => {
    const exchange = await session.requestTokensOnce(form);
    demand(!isSuccess(exchange), exchange, `no token ${what}`, `${exchange.status}`);
  };

/** The rules of the token endpoint and its tokens (§2.2, §4.1, §5.2, §8). */
export const tokenChecks = {
  '§4.1 method and path': async ({ session }) => {
    const exchange = await session.login();
    if (exchange.status === 401) cannotTell('the login got 401: check the username and the password');
    demandStatus(exchange, [200], 'for POST {auth_url}/auth/token');
  },
  '§4.1 response': async ({ session }) => {
    const exchange = await session.login();
    if (exchange.status !== 200) cannotTell(`the login got ${exchange.status}`);
    const type = exchange.headers.get(header.contentType);
    demand(isJson(parseMediaType(type)), exchange, 'a content type of JSON', type ?? 'no Content-Type');
    demand(isObject(exchange.json), exchange, 'a JSON object', 'another body');
  },
  '§4.1 password': checkRequired(withoutPassword, 'without a password'),
  '§4.1 refresh_token': checkRequired(withoutToken, 'without a refresh token'),
  '§7.2.5': async ({ session }) => {
    for (const form of [withoutPassword, withoutToken, unknownGrant]) {
      const exchange = await session.requestTokensOnce(form);
      if (isSuccess(exchange) && form !== unknownGrant) cannotTell('see §4.1');
      demandStatus(exchange, [400], 'for invalid or missing parameters');
    }
  },
  '§7.1 401': async (subject) => {
    const name = `restkin-doctor-${crypto.randomUUID()}`;
    const form = { grant_type: grantType.password, username: name, password: name };
    const exchange = await subject.session.requestTokens(form);
    const token = stringIn(exchange, 'access_token');
    if (exchange.status === 200 && token !== undefined && (await opens(subject, token))) {
      cannotTell('the server logs any user in, as a test server may; a live one must not');
    }
    demandStatus(exchange, [401], 'for a wrong username and password');
  },
  '§2.2 access_token': checkToken('access_token'),
  '§2.2 expires_in': checkSeconds('expires_in'),
  '§2.2 token_type': async (subject) => {
    const exchange = await tokens(subject);
    const type = stringIn(exchange, 'token_type');
    const found = type === undefined ? 'it is missing' : 'another value';
    demand(type?.toLowerCase() === 'bearer', exchange, '`token_type` is bearer', found);
  },
  '§2.2 refresh_expires_in': checkSeconds('refresh_expires_in'),
  '§2.2 refresh_token': checkToken('refresh_token'),
  '§8 access token lifetime': checkLifetime('expires_in', accessTokenLifetimeS),
  '§8 refresh token lifetime': checkLifetime('refresh_expires_in', refreshTokenLifetimeS),
  '§5.2.6': async (subject) => {
    const before = await tokens(subject);
    const after = await subject.session.renew();
    demandStatus(after, [200], 'for a refresh request');
    for (const name of ['access_token', 'refresh_token']) {
      demand(stringIn(after, name) !== undefined, after, `\`${name}\`, as in §2.2`, 'it is missing');
    }
    const isUsed = stringIn(after, 'refresh_token') === stringIn(before, 'refresh_token');
    demand(!isUsed, after, 'a new `refresh_token`', 'the previous one');
    const names = Object.keys(before.json as object).filter((name) => valueIn(after, name) === undefined);
    demand(names.length === 0, after, 'the shape of the login', `${names.join(', ')} is missing`);
    if (stringIn(after, 'access_token') !== stringIn(before, 'access_token')) return;
    // Two tokens of the same second may be equal, because they may differ only in their time.
    await wait(overOneSecondMs, undefined);
    const later = await subject.session.renew();
    const isNew = stringIn(later, 'access_token') !== stringIn(after, 'access_token');
    demand(isNew, later, 'a new `access_token`', 'the previous one');
  },
  '§5.2.7': async ({ session, allowReuse }) => {
    if (!allowReuse) cannotTell('a used refresh token is presented with allowReuse only');
    const login = await session.requestLogin();
    const refreshToken = stringIn(login, 'refresh_token');
    if (refreshToken === undefined)
      return cannotTell(`there is no refresh token: the login got ${login.status}`);
    const form = { grant_type: grantType.refreshToken, refresh_token: refreshToken };
    const first = await session.requestTokens(form);
    if (first.status !== 200) cannotTell(`the refresh request got ${first.status}; see §5.2.6`);
    const second = await session.requestTokens(form);
    demandStatus(second, [401, 400], 'for a refresh token that was used');
  },
} as const satisfies Checks<TokenSubject>;
