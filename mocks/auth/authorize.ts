import { authScheme, header } from '../../src/conventions.ts';
import { type ApiDeclaration, hasOwnScheme, schemeNamesOf } from '../../src/schema/define-api.ts';
import type { Context } from '../context.ts';
import { callOption, Refusal } from '../message.ts';
import { tokenPathOf } from './tokens.ts';
import { describeUsers, isKnownUser, type MockUser } from './users.ts';

/** The credentials of one scheme; scheme names are compared without case (RFC 9110 §11.1). */
const credentialsOf = (headers: Headers, scheme: string): string | undefined => {
  const [name, value, ...rest] = (headers.get(header.authorization) ?? '').split(/ +/);
  return name?.toLowerCase() === scheme.toLowerCase() && rest.length === 0 ? value : undefined;
};

/** The string that base64 encodes in UTF-8 (RFC 7617 §2.1); undefined for anything else. */
const decodeBase64 = (base64: string): string | undefined => {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The user of Basic credentials; undefined when they are not valid. */
const basicUser = (credentials: string, users: readonly MockUser[] | undefined): string | undefined => {
  const [username = '', ...password] = (decodeBase64(credentials) ?? '').split(':');
  return password.length > 0 && isKnownUser(users, username, password.join(':')) ? username : undefined;
};

/** Says what the mock accepts in the schemes of an API, without a name or a secret of its users. */
const describeAccepted = (names: readonly string[], { options, authorizesAll }: Context): string => {
  const { users, tokens } = options;
  const who = describeUsers(users);
  const describe = (scheme: string): string => {
    if (scheme === 'token') return `an access token of its own POST /${tokenPathOf(tokens)}, for ${who}`;
    return scheme === 'basic' ? `Basic credentials of ${who}` : 'what its option `authorize` accepts';
  };
  const all = authorizesAll ? [...names, 'own'] : names;
  return [...new Set(all.map(describe))].join(', or ');
};

const refuse = (
  names: readonly string[],
  { headers }: Request,
  { name }: ApiDeclaration,
  context: Context,
): never => {
  const realm = `realm="${name.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
  // RFC 6750 §3.1: without credentials, no error code.
  const hasToken = credentialsOf(headers, authScheme.bearer) !== undefined;
  const challengeOf = new Map([
    ['basic', `${authScheme.basic} ${realm}, charset="UTF-8"`],
    ['token', `${authScheme.bearer} ${realm}${hasToken ? ', error="invalid_token"' : ''}`],
  ]);
  const challenges = names.flatMap((scheme) => challengeOf.get(scheme) ?? []);
  const problem = headers.has(header.authorization)
    ? 'The credentials are not valid'
    : 'Credentials are required';
  // A key that a server hands out by hand is known to that server alone.
  const advice =
    hasToken && names.includes('token') && !context.authorizesAll
      ? "; for a fixed key, pass `authorize` to createMock or --header to `restkin mock`, or declare `auth: 'custom'`"
      : '';
  throw new Refusal(
    401,
    `${problem}: this mock takes ${describeAccepted(names, context)}${advice}`,
    undefined,
    challenges.length === 0 ? {} : { [header.wwwAuthenticate]: challenges.join(', ') },
  );
};

/**
 * Checks the credentials of a request by the schemes that the API takes, and the permissions of the user
 * (§5).
 *
 * @throws {@link Refusal} 401 or 403 (§5.2.9)
 */
export const authorize = async (
  request: Request,
  { api, key }: { readonly api: ApiDeclaration; readonly key: string },
  context: Context,
): Promise<void> => {
  const { options, tokens, authorizesAll } = context;
  const { url, method, headers } = request;
  const names = schemeNamesOf(api);
  const token = names.includes('token') ? credentialsOf(headers, authScheme.bearer) : undefined;
  const basic = names.includes('basic') ? credentialsOf(headers, authScheme.basic) : undefined;
  const username = tokens.userOf(token ?? '') ?? basicUser(basic ?? '', options.users);
  if (username === undefined) {
    // Without the option, a request that has credentials of another scheme is judged by them alone.
    const isOwn = options.authorize ?? (() => token === undefined && basic === undefined);
    const mayAsk = authorizesAll || hasOwnScheme(api);
    if (!mayAsk || !(await callOption('authorize', () => isOwn(new Request(url, { method, headers })))))
      refuse(names, request, api, context);
    return;
  }
  const user = options.users?.find((candidate) => candidate.username === username);
  const permissions = user?.permissions?.bind(user);
  if (permissions === undefined) return;
  if (await callOption('permissions of a user', () => permissions({ method, collection: key }))) return;
  throw new Refusal(403, `${method} is not permitted for this user`);
};
