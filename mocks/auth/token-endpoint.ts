import { type ErrorItem, errorItemCode, formType, grantType } from '../../src/conventions.ts';
import { checkAccept, checkContentType } from '../content.ts';
import type { Exchange } from '../exchange.ts';
import { invalidItem, jsonResponse, Refusal, refuseMethod } from '../message.ts';
import { type Grant, grantOf } from './tokens.ts';
import { describeUsers, isKnownUser } from './users.ts';

const required: Readonly<Record<Grant, readonly string[]>> = {
  [grantType.password]: ['username', 'password'],
  [grantType.refreshToken]: ['refresh_token'],
};

const problemsOf = (form: URLSearchParams, grant: Grant | undefined): readonly ErrorItem[] => {
  const fields = ['grant_type', ...(grant === undefined ? [] : required[grant])];
  const items = fields.flatMap((field) => {
    const [value, ...more] = form.getAll(field);
    if (value === undefined || value === '') return [{ field, code: errorItemCode.missingField }];
    return more.length === 0 ? [] : [invalidItem(field, 'A parameter must not be repeated (RFC 6749 §3.2)')];
  });
  if (items.length > 0 || grant !== undefined) return items;
  return [invalidItem('grant_type', `Expected ${Object.keys(required).join(' or ')}`)];
};

/**
 * The response of the token endpoint (§4.1).
 *
 * @throws {@link Refusal} 405 for a method other than POST, 415, 400 with the missing parameters, and 401 for
 * wrong credentials; 401 or 400 for an invalid refresh token
 */
export const respondToTokenRequest = async ({
  request,
  content,
  run,
  context,
}: Exchange): Promise<Response> => {
  if (request.method !== 'POST') return refuseMethod(request.method, 'POST');
  checkAccept(request);
  checkContentType(request, formType);
  const { text } = await content();
  run.throwIfAborted();
  const form = new URLSearchParams(text);
  const grant = grantOf(text);
  const items = problemsOf(form, grant);
  if (items.length > 0) {
    const problems = items.map(({ field, code }) => `${field} (${code})`).join(', ');
    throw new Refusal(400, `The token request is not valid: ${problems}`, items);
  }
  const { users, tokens: { refusedRefreshStatus = 401 } = {} } = context.options;
  const username = form.get('username') ?? '';
  const isPassword = grant === grantType.password;
  if (isPassword && !isKnownUser(users, username, form.get('password') ?? ''))
    throw new Refusal(401, `Wrong username and/or password: this mock takes ${describeUsers(users)}`);
  const tokens = isPassword
    ? context.tokens.grant(username)
    : context.tokens.refresh(form.get('refresh_token') ?? '');
  if (tokens === undefined) throw new Refusal(refusedRefreshStatus, 'The refresh token is not valid');
  // RFC 6749 §5.1: no cache may keep the response.
  return jsonResponse(200, JSON.stringify(tokens), { 'cache-control': 'no-store' });
};
