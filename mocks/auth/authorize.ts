import { authScheme, header } from '../../src/conventions.ts';
import { type ApiDeclaration, schemeNamesOf } from '../../src/schema/define-api.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../message.ts';
import { isKnownUser, type MockUser } from './users.ts';

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

const refuse = (names: readonly string[], { headers }: Request, { name }: ApiDeclaration): never => {
  const realm = `realm="${name.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
  // RFC 6750 §3.1: without credentials, no error code.
  const hasToken = credentialsOf(headers, authScheme.bearer) !== undefined;
  const challengeOf = new Map([
    ['basic', `${authScheme.basic} ${realm}, charset="UTF-8"`],
    ['token', `${authScheme.bearer} ${realm}${hasToken ? ', error="invalid_token"' : ''}`],
  ]);
  const challenges = names.flatMap((scheme) => challengeOf.get(scheme) ?? []);
  throw new Refusal(
    401,
    headers.has(header.authorization) ? 'The credentials are not valid' : 'Credentials are required',
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
  { options, tokens }: Context,
): Promise<void> => {
  const { url, method, headers } = request;
  const names = schemeNamesOf(api);
  const token = names.includes('token') ? credentialsOf(headers, authScheme.bearer) : undefined;
  const basic = names.includes('basic') ? credentialsOf(headers, authScheme.basic) : undefined;
  const username = tokens.userOf(token ?? '') ?? basicUser(basic ?? '', options.users);
  if (username === undefined) {
    const hasOwn = names.some((name) => name !== 'token' && name !== 'basic');
    // Without the option, a request that has credentials of another scheme is judged by them alone.
    const isOwn = options.authorize ?? (() => token === undefined && basic === undefined);
    if (!hasOwn || !(await isOwn(new Request(url, { method, headers })))) refuse(names, request, api);
    return;
  }
  const user = options.users?.find((candidate) => candidate.username === username);
  if (user?.permissions === undefined || (await user.permissions({ method, collection: key }))) return;
  throw new Refusal(403, `${method} is not permitted for this user`);
};
