import { type ErrorItem, errorItemCode, formType, grantType } from '../../src/conventions.ts';
import { checkAccept, checkContentType } from '../content.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { invalidItem, jsonResponse, Refusal, refuseMethod } from '../message.ts';
import { isKnownUser } from './authorize.ts';

type Grant = (typeof grantType)[keyof typeof grantType];

const required: Readonly<Record<Grant, readonly string[]>> = {
  [grantType.password]: ['username', 'password'],
  [grantType.refreshToken]: ['refresh_token'],
};

const grantOf = (form: URLSearchParams): Grant | undefined =>
  Object.values(grantType).find((grant) => grant === form.get('grant_type'));

const checkField = (form: URLSearchParams, field: string): readonly ErrorItem[] => {
  const [value, ...more] = form.getAll(field);
  if (value === undefined || value === '') return [{ field, code: errorItemCode.missingField }];
  if (more.length === 0) return [];
  return [invalidItem(field, 'A parameter must not be repeated (RFC 6749 §3.2)')];
};

const checkForm = (form: URLSearchParams): readonly ErrorItem[] => {
  const grant = grantOf(form);
  const items = ['grant_type', ...(grant === undefined ? [] : required[grant])].flatMap((field) =>
    checkField(form, field),
  );
  if (items.length > 0 || grant !== undefined) return items;
  return [invalidItem('grant_type', `Expected ${Object.keys(required).join(' or ')}`)];
};

/** The grant of a token request for the log; undefined for a grant that the conventions do not have. */
export const grantIn = (form: string): Grant | undefined => grantOf(new URLSearchParams(form));

const passwordGrant = (form: URLSearchParams, { options: { users }, tokens }: Context) => {
  const username = form.get('username') ?? '';
  if (!isKnownUser(users, username, form.get('password') ?? '')) {
    throw new Refusal(401, 'Wrong username and/or password');
  }
  return tokens.grant(username);
};

/**
 * The response of the token endpoint (§4.1).
 *
 * @throws {@link Refusal} 405 for a method other than POST, 415, 400 with the missing parameters, and 401 for wrong
 * credentials; 401 or 400 for an invalid refresh token
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
  const form = new URLSearchParams((await content()).text);
  run.throwIfAborted();
  const items = checkForm(form);
  if (items.length > 0) throw new Refusal(400, 'The token request is not valid', items);
  const tokens =
    grantOf(form) === grantType.password
      ? passwordGrant(form, context)
      : context.tokens.refresh(form.get('refresh_token') ?? '');
  if (tokens === undefined) {
    const { refusedRefreshStatus = 401 } = context.options.tokens ?? {};
    throw new Refusal(refusedRefreshStatus, 'The refresh token is not valid');
  }
  // RFC 6749 §5.1: no cache may keep the response.
  return jsonResponse(200, JSON.stringify(tokens), { 'cache-control': 'no-store' });
};
