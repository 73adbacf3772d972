import { authScheme, header } from '../../src/conventions.ts';
import { type ApiDeclaration, schemeNamesOf } from '../../src/schema/define-api.ts';
import type { Context } from '../context.ts';
import type { Endpoint } from '../resources/endpoints.ts';
import { type Incoming, Refusal, toRequest } from '../responses/message.ts';
import { isKnownUser } from './users.ts';

/** Who sent a request: a username, or undefined for an API's own style of authentication (§5). */
interface Caller {
  readonly username: string | undefined;
}

/** The credentials of one scheme; scheme names are compared without case (RFC 9110 §11.1). */
const credentialsOf = (request: Incoming, scheme: string): string | undefined => {
  const [name, value, ...rest] = (request.headers.get(header.authorization) ?? '').split(/ +/);
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

const basicCaller = (request: Incoming, { options: { users } }: Context): Caller | undefined => {
  const pair = decodeBase64(credentialsOf(request, authScheme.basic) ?? '');
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return undefined;
  const username = pair.slice(0, colon);
  return isKnownUser(users, username, pair.slice(colon + 1)) ? { username } : undefined;
};

const tokenCaller = (request: Incoming, { tokens }: Context): Caller | undefined => {
  const username = tokens.userOf(credentialsOf(request, authScheme.bearer) ?? '');
  return username === undefined ? undefined : { username };
};

const findCaller = async (name: string, request: Incoming, context: Context): Promise<Caller | undefined> => {
  if (name === 'basic') return basicCaller(request, context);
  if (name === 'token') return tokenCaller(request, context);
  const { authorize = () => true } = context.options;
  return (await authorize(toRequest(request, false))) ? { username: undefined } : undefined;
};

const challengeOf = (
  name: string,
  { name: realm }: ApiDeclaration,
  hasToken: boolean,
): string | undefined => {
  const quoted = `realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
  if (name === 'basic') return `${authScheme.basic} ${quoted}, charset="UTF-8"`;
  if (name !== 'token') return undefined;
  // RFC 6750 §3.1: without credentials, no error code.
  return `${authScheme.bearer} ${quoted}${hasToken ? ', error="invalid_token"' : ''}`;
};

const refuse = (names: readonly string[], request: Incoming, api: ApiDeclaration): never => {
  const hasToken = credentialsOf(request, authScheme.bearer) !== undefined;
  const challenges = names.flatMap((name) => challengeOf(name, api, hasToken) ?? []);
  throw new Refusal(
    401,
    request.headers.has(header.authorization) ? 'The credentials are not valid' : 'Credentials are required',
    undefined,
    challenges.length === 0 ? {} : { [header.wwwAuthenticate]: challenges.join(', ') },
  );
};

/**
 * Checks who sent a request, by a scheme that the API takes, and whether they may (§5).
 *
 * @throws {@link Refusal} 401 or 403 (§5.2.9)
 */
export const authorize = async (
  request: Incoming,
  { api, key }: Pick<Endpoint, 'api' | 'key'>,
  context: Context,
): Promise<void> => {
  const names = schemeNamesOf(api);
  let caller: Caller | undefined;
  for (const name of names) caller ??= await findCaller(name, request, context);
  const { username } = caller ?? refuse(names, request, api);
  const user = context.options.users?.find((candidate) => candidate.username === username);
  if (user?.permissions === undefined) return;
  const isAllowed = await user.permissions({ method: request.method, collection: key, user: user.username });
  if (!isAllowed) throw new Refusal(403, `${request.method} is not permitted for this user`);
};
