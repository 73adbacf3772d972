import { accessTokenLifetimeS, refreshTokenLifetimeS } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { valueIn } from '../exchange.ts';
import { blockedBy, demand, described } from '../judgement.ts';
import { judgedAs, ofTokens, overLimit, rule, throttled } from '../rule.ts';
import { requireTokens, type Session, stringIn } from '../session.ts';

const isJwt = (token: string): boolean => {
  const parts = token.split('.');
  const decode = (part: string): unknown => JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
  try {
    return parts.length === 3 && parts.slice(0, 2).every((part) => isObject(decode(part)));
  } catch {
    return false;
  }
};

const checkToken = (name: string) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const token = stringIn(exchange, name);
  demand(token !== undefined, exchange, `\`${name}\` is a string`, described(valueIn(exchange, name)));
  demand(isJwt(token ?? ''), exchange, `\`${name}\` is a JWT`, 'a string that is not a JWT');
};

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const checkSeconds = (name: string) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const value = valueIn(exchange, name);
  demand(isSeconds(value), exchange, `\`${name}\` is an integer of seconds above 0`, described(value));
};

// Seconds that may pass between the issue of a token and its response.
const tolerance = 10;

const checkLifetime = (name: string, seconds: number) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const value = valueIn(exchange, name);
  if (!isSeconds(value)) return blockedBy(`§2.2 ${name}`);
  const isNear = value <= seconds && value >= seconds - tolerance;
  demand(isNear, exchange, `\`${name}\` of a new token is ${seconds}`, String(value));
};

const checkAccessLifetime = checkLifetime('expires_in', accessTokenLifetimeS);
const checkRefreshLifetime = checkLifetime('refresh_expires_in', refreshTokenLifetimeS);

/** §2.2 Token response, and §8 Limits. */
export const tokens = [
  rule('§2.2 access_token', 'A JWT; the bearer credential.', ofTokens, checkToken('access_token')),
  rule('§2.2 expires_in', 'Seconds until the access token expires.', ofTokens, checkSeconds('expires_in')),
  rule('§2.2 token_type', 'It is `bearer`.', ofTokens, async (session) => {
    const exchange = await requireTokens(session);
    const type = stringIn(exchange, 'token_type');
    demand(type?.toLowerCase() === 'bearer', exchange, '`token_type` is bearer', described(type));
  }),
  rule('§2.2 refresh_expires_in', 'Seconds until it expires.', ofTokens, checkSeconds('refresh_expires_in')),
  rule('§2.2 refresh_token', 'A JWT; a credential for a single use.', ofTokens, checkToken('refresh_token')),
  rule('§8 access token lifetime', '600 seconds.', ofTokens, checkAccessLifetime),
  rule('§8 refresh token lifetime', '2592000 seconds.', ofTokens, checkRefreshLifetime),
  rule('§8 refresh token uses', 'One.', judgedAs('§5.2.7')),
  rule('§8 throttling', 'A threshold that is not shown; above it 429.', throttled),
  rule('§8 page size', 'A default, and perhaps a maximum.', judgedAs('§4.4 perPage and §4.5.3')),
  rule('§8 bulk', 'A maximum that is not shown; above it 413.', overLimit),
] as const;
