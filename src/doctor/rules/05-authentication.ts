import {
  accessTokenLifetimeS,
  authScheme,
  grantType,
  header,
  refreshTokenLifetimeS,
} from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import { isObject } from '../../options.ts';
import { type Exchange, valueIn } from '../exchange.ts';
import { blockedBy, cannotTell, demand, demandStatus, described, type Weight } from '../judgement.ts';
import { by, judgedAs, reasons, rule } from '../rule.ts';
import { type Form, isRefused, requireTokens, type Session, stringIn } from '../session.ts';
import { showNames, showType } from '../shown.ts';
import type { Subject } from '../subject.ts';

const isJwt = (token: string): boolean => {
  const parts = token.split('.');
  const decode = (part: string): unknown => JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
  try {
    return parts.length === 3 && parts.slice(0, 2).every((part) => isObject(decode(part)));
  } catch {
    return false;
  }
};

const checkToken = (name: string, weight?: Weight) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const token = stringIn(exchange, name);
  demand(
    token !== undefined,
    exchange,
    `a string in \`${name}\``,
    described(valueIn(exchange, name)),
    weight,
  );
  if (session.takesJwts)
    demand(isJwt(token ?? ''), exchange, `a JWT in \`${name}\``, 'a string that is not a JWT');
};

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const checkSeconds = (name: string) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const value = valueIn(exchange, name);
  demand(isSeconds(value), exchange, `a positive integer of seconds in \`${name}\``, described(value));
};

// Seconds that may pass between the issue of a token and its response.
const tolerance = 10;

const checkLifetime = (name: string, seconds: number) => async (session: Session) => {
  const exchange = await requireTokens(session);
  const value = valueIn(exchange, name);
  if (!isSeconds(value)) return blockedBy(`§2.2 ${name}`);
  const isNear = value <= seconds && value >= seconds - tolerance;
  demand(isNear, exchange, `${seconds} in \`${name}\` of a new token`, String(value));
};

const checkAccessLifetime = checkLifetime('expires_in', accessTokenLifetimeS);
const checkRefreshLifetime = checkLifetime('refresh_expires_in', refreshTokenLifetimeS);

const withoutPassword = { grant_type: grantType.password, username: 'restkin-doctor' };
const withoutToken = { grant_type: grantType.refreshToken };
const unknownGrant = { grant_type: 'restkin_doctor' };

const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;

const checkRequired = (form: Form) => async (session: Session) => {
  const exchange = await session.requestTokens(form);
  demand(!isSuccess(exchange), exchange, 'no token without the required parameter', `${exchange.status}`);
};

const checkAuthorized = async (subject: Subject) => {
  const exchange = await subject.firstPage();
  demand(exchange.status !== 401, exchange, 'the credentials to be accepted', '401', 'fatal');
};

const checkRenewal = async (session: Session): Promise<void> => {
  const before = await requireTokens(session);
  const after = await session.renew();
  demandStatus(after, [200], 'for a refresh request');
  const names = Object.keys({ access_token: '', refresh_token: '', ...Object(before.json) });
  const lacking = names.filter((name) => valueIn(after, name) === undefined);
  demand(lacking.length === 0, after, 'the shape of §2.2, as after the login', `no ${showNames(lacking)}`);
  const isUsed = stringIn(after, 'refresh_token') === stringIn(before, 'refresh_token');
  demand(!isUsed, after, 'a new `refresh_token`', 'the previous one');
};

/**
 * §2.2, §4.1 and §5: tokens, their endpoint and authentication, with their failures (§7) and lifetimes (§8).
 */
export const authentication = [
  rule('§2.2 access_token', 'A JWT; the bearer credential.', by.tokens, checkToken('access_token', 'fatal')),
  rule('§2.2 expires_in', 'Seconds until the access token expires.', by.tokens, checkSeconds('expires_in')),
  rule('§2.2 token_type', 'It is `bearer`.', by.tokens, async (session) => {
    const exchange = await requireTokens(session);
    const type = stringIn(exchange, 'token_type');
    demand(type?.toLowerCase() === 'bearer', exchange, '`bearer` in `token_type`', described(type), 'fatal');
  }),
  rule('§2.2 refresh_expires_in', 'Seconds until it expires.', by.tokens, checkSeconds('refresh_expires_in')),
  rule('§2.2 refresh_token', 'A JWT; a credential for a single use.', by.tokens, checkToken('refresh_token')),
  rule('§8 access token lifetime', '600 seconds.', by.tokens, checkAccessLifetime),
  rule('§8 refresh token lifetime', '2592000 seconds.', by.tokens, checkRefreshLifetime),
  rule('§8 refresh token uses', 'One.', judgedAs('§5.2.7')),
  rule('§4.1 method and path', 'POST {auth_url}/auth/token.', by.tokens, async (session) => {
    const exchange = await session.login();
    if (isRefused(exchange))
      cannotTell(`the login got ${exchange.status}: check the username and the password`);
    demandStatus(exchange, [200], 'for a login with a password', 'fatal');
  }),
  rule('§4.1 Content-Type', 'The request is application/x-www-form-urlencoded.', reasons.forClients),
  rule('§4.1 process', 'It follows the token request of OpenID Connect.', judgedAs('§4.1 method and path')),
  rule('§4.1 response', 'A JSON body as in §2.2.', by.tokens, async (session) => {
    const exchange = await session.login();
    if (exchange.status !== 200) cannotTell(`the login got ${exchange.status}`);
    const type = exchange.headers.get(header.contentType);
    demand(isObject(exchange.json), exchange, 'a JSON object', 'another body', 'fatal');
    demand(isJson(parseMediaType(type)), exchange, 'a content type of JSON', showType(type));
  }),
  rule('§4.1 failures', 'Failures are 400 and 401.', judgedAs('§7.1 401 and §7.2.5')),
  rule('§4.1 password', 'It requires `password`.', by.tokens, checkRequired(withoutPassword)),
  rule('§4.1 refresh_token', 'It requires `refresh_token`.', by.tokens, checkRequired(withoutToken)),
  rule('§5 scheme', 'Each API uses one of two schemes, or one of its own.', judgedAs('§5.1.3 and §5.2.2')),
  rule('§5.1.1', 'Username and password are joined with a single colon.', reasons.forClients),
  rule('§5.1.2', 'The joined string is encoded in base64.', reasons.forClients),
  rule('§5.1.3', 'They are sent as `Authorization: Basic`.', by.list('basic'), checkAuthorized),
  rule('§5.2.1', 'A password request obtains a token.', judgedAs('§4.1 method and path')),
  rule('§5.2.2', 'Requests carry `Authorization: Bearer`.', by.list('token'), checkAuthorized),
  rule('§5.2.3', 'The access token is valid for 10 minutes.', judgedAs('§8 access token lifetime')),
  rule('§5.2.4', 'After expiry, a new token is obtained.', { unseen: 'it needs ten minutes' }),
  rule('§5.2.5', 'A refresh token is valid for 30 days.', judgedAs('§8 refresh token lifetime')),
  rule('§5.2.6', 'A refresh request gives the shape of §2.2, with new tokens.', by.tokens, checkRenewal),
  rule('§5.2.7', 'A refresh token can be used once only.', {
    unseen: 'a server that is sent a used token may end every login of the user',
  }),
  rule('§5.2.7 or 400', 'A used refresh token gets 401, or 400 (RFC 6749).', judgedAs('§5.2.7')),
  rule('§5.2.8', 'The test environment has an auth URL of its own.', reasons.forServers),
  rule('§5.2.9', 'A missing or invalid token gets 401.', by.list(), async (subject) => {
    if (!subject.hasCredentials) cannotTell('no credentials were given, and the API may be an open one');
    const none = await subject.send({}, { isAnonymous: true });
    demandStatus(none, [401], 'without credentials');
    if (!subject.has('token')) return;
    const wrong = { [header.authorization]: `${authScheme.bearer} restkin-doctor-invalid` };
    const invalid = await subject.send({ headers: wrong }, { isAnonymous: true });
    demandStatus(invalid, [401], 'for an invalid token');
  }),
  rule('§5.2 own style', 'Own-style authentication of older APIs.', reasons.notShown),
  rule('§7.1 401', 'A wrong token, user or password.', by.tokens, async (session) => {
    const name = `restkin-doctor-${crypto.randomUUID()}`;
    const form = { grant_type: grantType.password, username: name, password: name };
    const exchange = await session.requestTokens(form);
    if (isSuccess(exchange) && stringIn(exchange, 'access_token') !== undefined)
      cannotTell('the server logs any user in, as a test server may; a live one must not');
    demandStatus(exchange, [401], 'for a wrong username and password');
  }),
  rule('§7.2.5', 'Token endpoint: 400 for invalid or missing parameters.', by.tokens, async (session) => {
    for (const form of [withoutPassword, withoutToken, unknownGrant]) {
      const exchange = await session.requestTokens(form);
      if (isSuccess(exchange) && form !== unknownGrant)
        blockedBy(form === withoutToken ? '§4.1 refresh_token' : '§4.1 password');
      demandStatus(exchange, [400], 'for invalid or missing parameters');
    }
  }),
] as const;
