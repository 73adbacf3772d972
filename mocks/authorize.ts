import { header } from '../src/conventions/headers.ts';
import { authScheme } from '../src/conventions/schemes.ts';
import type { ApiDeclaration } from '../src/schema/define-api.ts';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './error-answer.ts';
import { type Incoming, toRequest } from './incoming.ts';
import type { MockUser } from './user.ts';
import type { World } from './world.ts';

/** Who sent a request: a username, or nobody in particular for an API's own style of authentication (§5). */
interface Caller {
  readonly username: string | undefined;
}

/** True when the username and the password belong together; without users, when neither is empty. */
export const isKnownUser = (
  users: readonly MockUser[] | undefined,
  username: string,
  password: string,
): boolean =>
  users === undefined
    ? username !== '' && password !== ''
    : users.some((user) => user.username === username && user.password === password);

/** The credentials of one scheme; scheme names are compared without case (RFC 9110 §11.1). */
const credentialsOf = (request: Incoming, scheme: string): string | undefined => {
  const [name, value, ...rest] = (request.headers.get(header.authorization) ?? '').split(/ +/);
  return name?.toLowerCase() === scheme.toLowerCase() && rest.length === 0 ? value : undefined;
};

/** The text of base64 in UTF-8 (RFC 7617 §2.1); undefined when it is not that. */
const decodeBase64 = (base64: string): string | undefined => {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const basicCaller = (request: Incoming, { users }: World): Caller | undefined => {
  const pair = decodeBase64(credentialsOf(request, authScheme.basic) ?? '');
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return undefined;
  const username = pair.slice(0, colon);
  return isKnownUser(users, username, pair.slice(colon + 1)) ? { username } : undefined;
};

const tokenCaller = (request: Incoming, { tokens }: World): Caller | undefined => {
  const username = tokens.userOf(credentialsOf(request, authScheme.bearer) ?? '');
  return username === undefined ? undefined : { username };
};

const findCaller = async (name: string, request: Incoming, world: World): Promise<Caller | undefined> => {
  if (name === 'basic') return basicCaller(request, world);
  if (name === 'token') return tokenCaller(request, world);
  return (await world.authorize(toRequest(request))) ? { username: undefined } : undefined;
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
export const authorize = async (request: Incoming, { api, key }: Endpoint, world: World): Promise<void> => {
  const names: readonly string[] = typeof api.auth === 'string' ? [api.auth] : api.auth;
  let caller: Caller | undefined;
  for (const name of names) caller ??= await findCaller(name, request, world);
  const { username } = caller ?? refuse(names, request, api);
  const user = world.users?.find((candidate) => candidate.username === username);
  if (user?.permissions === undefined) return;
  const isAllowed = await user.permissions({ method: request.method, collection: key, user: user.username });
  if (!isAllowed) throw new Refusal(403, `${request.method} is not permitted for this user`);
};
