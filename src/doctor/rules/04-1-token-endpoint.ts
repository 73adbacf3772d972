import { authScheme, grantType, header } from '../../conventions.ts';
import { isJson, parseMediaType } from '../../headers/media-type.ts';
import { isObject } from '../../options.ts';
import { type Exchange, valueIn } from '../exchange.ts';
import { blockedBy, cannotTell, demand, demandStatus } from '../judgement.ts';
import { forClients, forServers, judgedAs, notShown, ofCollection, ofList, ofTokens, rule } from '../rule.ts';
import { type Form, requireTokens, type Session, stringIn } from '../session.ts';
import type { Subject } from '../subject.ts';

const withoutPassword = { grant_type: grantType.password, username: 'restkin-doctor' };
const withoutToken = { grant_type: grantType.refreshToken };
const unknownGrant = { grant_type: 'restkin_doctor' };

const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;

const checkRequired = (form: Form) => async (session: Session) => {
  const exchange = await session.requestTokens(form);
  demand(!isSuccess(exchange), exchange, 'no token without it', `${exchange.status}`);
};

const checkAuthorized = async (subject: Subject) => {
  const exchange = await subject.firstPage();
  demand(exchange.status !== 401, exchange, 'the credentials are taken', '401');
};

const checkRenewal = async (session: Session): Promise<void> => {
  const before = await requireTokens(session);
  const after = await session.renew();
  demandStatus(after, [200], 'for a refresh request');
  const names = Object.keys({ access_token: '', refresh_token: '', ...Object(before.json) });
  const lacking = names.filter((name) => valueIn(after, name) === undefined);
  demand(lacking.length === 0, after, 'the shape of §2.2, as after the login', `no ${lacking.join(', ')}`);
  const isUsed = stringIn(after, 'refresh_token') === stringIn(before, 'refresh_token');
  demand(!isUsed, after, 'a new `refresh_token`', 'the previous one');
};

/** §4.1 Token endpoint and §5 Authentication, with their failures; §3 and §6, which show nothing. */
export const authentication = [
  rule('§3 states and transitions', 'States and transitions of resources.', notShown),
  rule('§4.1 method and path', 'POST {auth_url}/auth/token.', ofTokens, async (session) => {
    const exchange = await session.login();
    if (exchange.status === 401) cannotTell('the login got 401: check the username and the password');
    demandStatus(exchange, [200], 'for POST {auth_url}/auth/token');
  }),
  rule('§4.1 Content-Type', 'The request is application/x-www-form-urlencoded.', forClients),
  rule('§4.1 process', 'It follows the token request of OpenID Connect.', judgedAs('§4.1 method and path')),
  rule('§4.1 response', 'A JSON body as in §2.2.', ofTokens, async (session) => {
    const exchange = await session.login();
    if (exchange.status !== 200) cannotTell(`the login got ${exchange.status}`);
    const type = exchange.headers.get(header.contentType);
    demand(isJson(parseMediaType(type)), exchange, 'a content type of JSON', type ?? 'no Content-Type');
    demand(isObject(exchange.json), exchange, 'a JSON object', 'another body');
  }),
  rule('§4.1 failures', 'Failures are 400 and 401.', judgedAs('§7.1 401 and §7.2.5')),
  rule('§4.1 password', 'It requires `password`.', ofTokens, checkRequired(withoutPassword)),
  rule('§4.1 refresh_token', 'It requires `refresh_token`.', ofTokens, checkRequired(withoutToken)),
  rule('§5 scheme', 'Each API uses one of two schemes, or one of its own.', judgedAs('§5.1.3 and §5.2.2')),
  rule('§5.1.1', 'Username and password are joined with a single colon.', forClients),
  rule('§5.1.2', 'The joined string is encoded in base64.', forClients),
  rule('§5.1.3', 'They are sent as `Authorization: Basic`.', ofList('basic'), checkAuthorized),
  rule('§5.2.1', 'A password request obtains a token.', judgedAs('§4.1 method and path')),
  rule('§5.2.2', 'Requests carry `Authorization: Bearer`.', ofList('token'), checkAuthorized),
  rule('§5.2.3', 'The access token is valid for 10 minutes.', judgedAs('§8 access token lifetime')),
  rule('§5.2.4', 'After expiry, a new token is obtained.', { unseen: 'it needs ten minutes' }),
  rule('§5.2.5', 'A refresh token is valid for 30 days.', judgedAs('§8 refresh token lifetime')),
  rule('§5.2.6', 'A refresh request gives the shape of §2.2, with new tokens.', ofTokens, checkRenewal),
  rule('§5.2.7', 'A refresh token can be used once only.', {
    unseen: 'a server that is sent a used token may end every login of the user',
  }),
  rule('§5.2.7 or 400', 'A used refresh token gets 401, or 400 (RFC 6749).', judgedAs('§5.2.7')),
  rule('§5.2.8', 'The test environment has an auth URL of its own.', forServers),
  rule('§5.2.9', 'A missing or invalid token gets 401.', ofCollection, async (subject) => {
    const none = await subject.send({}, { isAnonymous: true });
    demandStatus(none, [401], 'without credentials');
    if (!subject.has('token')) return;
    const wrong = { [header.authorization]: `${authScheme.bearer} restkin-doctor-invalid` };
    const invalid = await subject.send({ headers: wrong }, { isAnonymous: true });
    demandStatus(invalid, [401], 'for an invalid token');
  }),
  rule('§5.2 own style', 'Own-style authentication of older APIs.', notShown),
  rule('§6 events', 'Events, webhooks, notifications.', notShown),
  rule('§7.1 401', 'A wrong token, user or password.', ofTokens, async (session) => {
    const name = `restkin-doctor-${crypto.randomUUID()}`;
    const form = { grant_type: grantType.password, username: name, password: name };
    const exchange = await session.requestTokens(form);
    if (isSuccess(exchange) && stringIn(exchange, 'access_token') !== undefined)
      cannotTell('the server logs any user in, as a test server may; a live one must not');
    demandStatus(exchange, [401], 'for a wrong username and password');
  }),
  rule('§7.2.5', 'Token endpoint: 400 for invalid or missing parameters.', ofTokens, async (session) => {
    for (const form of [withoutPassword, withoutToken, unknownGrant]) {
      const exchange = await session.requestTokens(form);
      if (isSuccess(exchange) && form !== unknownGrant)
        blockedBy(form === withoutToken ? '§4.1 refresh_token' : '§4.1 password');
      demandStatus(exchange, [400], 'for invalid or missing parameters');
    }
  }),
] as const;
