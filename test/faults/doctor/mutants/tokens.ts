import type { Break } from '../server.ts';
import {
  answerInstead,
  changeJson,
  changeReplyOf,
  changeSuccess,
  dropFields,
  errorReply,
  formOf,
  isGrant,
  isToken,
  type Json,
  jsonOf,
  type Mutants,
  withField,
  withHeader,
  withJson,
  withStatus,
} from './words.ts';

/** Gives opaque access tokens, and takes them. */
const opaqueTokens = (): Break => {
  const real = new Map<string, string>();
  return async (seen, next) => {
    const [, used = ''] = /^Bearer (.*)/.exec(seen.headers.get('authorization') ?? '') ?? [];
    const known = real.get(used);
    const headers =
      known === undefined ? seen.headers : withHeader(seen.headers, 'authorization', `Bearer ${known}`);
    const usual = await next({ ...seen, headers });
    if (!isToken(seen) || usual.status !== 200) return usual;
    const body = jsonOf<Json>(usual);
    const opaque = `opaque-${real.size}-0123456789`;
    real.set(opaque, String(body.access_token));
    return withJson(usual, { ...body, access_token: opaque });
  };
};

const fakeTokens = errorReply(200, { access_token: 'a.b.c', expires_in: 600, token_type: 'bearer' });

export const tokens: Mutants = {
  '§4.1 method and path: a login gets 500': changeReplyOf(200, isGrant('password'), () => errorReply(500)),
  '§4.1 response: tokens are text/plain': changeSuccess(isToken, (usual) =>
    withField(usual, 'content-type', 'text/plain'),
  ),
  '§4.1 password: a login without it gets tokens': answerInstead(isGrant('password', 'password'), fakeTokens),
  '§4.1 refresh_token: none is needed': answerInstead(isGrant('refresh_token', 'refresh_token'), fakeTokens),
  '§7.2.5: an unknown grant gets 422': answerInstead(isGrant('restkin_doctor'), errorReply(422)),
  '§7.2.5: a missing password gets 401': answerInstead(isGrant('password', 'password'), errorReply(401)),
  '§7.1 401: a wrong user gets 403': changeReplyOf(401, isGrant('password'), (usual) =>
    withStatus(usual, 403),
  ),
  '§2.2 access_token: it is no JWT': opaqueTokens,
  '§2.2 expires_in: it is a string': changeJson(isToken, (body) => ({ ...body, expires_in: '600' })),
  '§2.2 expires_in: it is an object that cannot be a number': changeJson(isToken, (body) => ({
    ...body,
    expires_in: { toString: null },
  })),
  '§2.2 expires_in: it is missing': changeJson(isToken, dropFields('expires_in')),
  '§2.2 token_type: it is mac': changeJson(isToken, (body) => ({ ...body, token_type: 'mac' })),
  '§2.2 token_type: it is missing': changeJson(isToken, dropFields('token_type')),
  '§2.2 refresh_expires_in: it is missing': changeJson(isToken, dropFields('refresh_expires_in')),
  '§2.2 refresh_token: it is missing': changeJson(isToken, dropFields('refresh_token')),
  '§8 access token lifetime: an hour': changeJson(isToken, (body) => ({ ...body, expires_in: 3600 })),
  '§8 refresh token lifetime: a day': changeJson(isToken, (body) => ({
    ...body,
    refresh_expires_in: 86_400,
  })),
  '§5.2.6: a refresh request gets 401': changeReplyOf(200, isGrant('refresh_token'), () => errorReply(401)),
  '§5.2.6: it gives no refresh token': changeJson(isGrant('refresh_token'), dropFields('refresh_token')),
  '§5.2.6: it gives the same refresh token': changeSuccess(isGrant('refresh_token'), (usual, seen) =>
    withJson(usual, { ...jsonOf<Json>(usual), refresh_token: formOf(seen).get('refresh_token') }),
  ),
};
