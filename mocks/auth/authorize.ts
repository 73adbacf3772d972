import { authScheme, header } from '../../src/conventions.ts';
import { checkFunction, checkOf, createReader } from '../../src/options.ts';
import { type ApiDeclaration, schemeNamesOf } from '../../src/schema/define-api.ts';
import { checkString } from '../checks.ts';
import { Refusal } from '../message.ts';

/**
 * A user who may obtain tokens (§5.2) and use Basic authentication (§5.1).
 *
 * @example
 * ```ts
 * const reader = { username: 'ada', password: 'lovelace', permissions: ({ method }) => method === 'GET' } satisfies MockUser;
 * const mock = createMock(ordering, { users: [reader] });
 * ```
 */
export interface MockUser {
  /** Case-sensitive. */
  readonly username: string;
  /** Case-sensitive. */
  readonly password: string;
  /**
   * Decides whether the user may send a request with this method, to the collection of this key; `false` gives 403 (§5.2.9).
   * Everything is permitted by default.
   */
  readonly permissions?:
    | ((request: { readonly method: string; readonly collection: string }) => boolean | Promise<boolean>)
    | undefined;
}

const readUser = createReader<MockUser>({
  username: checkString,
  password: checkString,
  permissions: checkFunction,
});

/** Checks the option `users`. */
export const checkUsers = (name: string, users: unknown): void => {
  checkOf(Array.isArray, 'an array of users')(name, users);
  // checkOf has made sure of a list; the reader checks its items.
  for (const user of (users ?? []) as readonly MockUser[]) readUser(user, name);
};

/** True when the username and the password belong together; without users, when neither is empty. */
export const isKnownUser = (
  users: readonly MockUser[] | undefined,
  username: string,
  password: string,
): boolean =>
  users === undefined
    ? username !== '' && password !== ''
    : users.some((user) => user.username === username && user.password === password);

/** The parts of a mock that say who sent a request. */
interface Authority {
  readonly options: {
    readonly users?: readonly MockUser[] | undefined;
    readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  };
  readonly tokens: { userOf(token: string): string | undefined };
}

/** Who sent a request; without a username by an API's own style of authentication (§5). */
interface Caller {
  readonly username?: string;
}

/** The credentials of one scheme; scheme names are compared without case (RFC 9110 §11.1). */
const credentialsOf = (request: Request, scheme: string): string | undefined => {
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

/** The user of Basic credentials; undefined when they are not valid. */
const basicUser = (credentials: string, users: readonly MockUser[] | undefined): string | undefined => {
  const [username = '', ...password] = (decodeBase64(credentials) ?? '').split(':');
  return password.length > 0 && isKnownUser(users, username, password.join(':')) ? username : undefined;
};

const findCaller = async (
  names: readonly string[],
  request: Request,
  { options: { users, authorize }, tokens }: Authority,
): Promise<Caller | undefined> => {
  const token = names.includes('token') ? credentialsOf(request, authScheme.bearer) : undefined;
  const basic = names.includes('basic') ? credentialsOf(request, authScheme.basic) : undefined;
  const username = tokens.userOf(token ?? '') ?? basicUser(basic ?? '', users);
  if (username !== undefined) return { username };
  if (names.every((name) => name === 'token' || name === 'basic')) return undefined;
  // Without the option, a request that has credentials of another scheme is judged by them alone.
  const { url, method, headers } = request;
  const isAllowed =
    authorize === undefined
      ? token === undefined && basic === undefined
      : await authorize(new Request(url, { method, headers }));
  return isAllowed ? {} : undefined;
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

const refuse = (names: readonly string[], request: Request, api: ApiDeclaration): never => {
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
 * Checks the credentials of a request by the schemes that the API takes, and the permissions of the user (§5).
 *
 * @throws {@link Refusal} 401 or 403 (§5.2.9)
 */
export const authorize = async (
  request: Request,
  { api, key }: { readonly api: ApiDeclaration; readonly key: string },
  authority: Authority,
): Promise<void> => {
  const names = schemeNamesOf(api);
  const { username } = (await findCaller(names, request, authority)) ?? refuse(names, request, api);
  const user = authority.options.users?.find((candidate) => candidate.username === username);
  if (user?.permissions === undefined) return;
  const isAllowed = await user.permissions({ method: request.method, collection: key });
  if (!isAllowed) throw new Refusal(403, `${request.method} is not permitted for this user`);
};
