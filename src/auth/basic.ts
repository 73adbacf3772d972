import { authScheme, header } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { toBase64 } from '../http/encoding.ts';
import { createReader } from '../options.ts';
import type { AuthScheme } from './authorize.ts';

/** A login, for {@link basicAuth} and {@link tokenAuth}. */
export interface Credentials {
  /** Not empty, without control characters, and for Basic without a colon (§5.1). */
  readonly username: string;
  /** Without control characters. */
  readonly password: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 §2 forbids exactly these
const controlCharacter = /[\0-\x1f\x7f]/;

const unpairedSurrogate = /\p{Surrogate}/u;

const check = (name: string, value: unknown): void => {
  if (typeof value !== 'string')
    throw new InvalidRequestError(`${name} must be a string, not ${typeof value}`);
  if (controlCharacter.test(value)) throw new InvalidRequestError(`${name} must not have control characters`);
  if (unpairedSurrogate.test(value)) throw new InvalidRequestError(`${name} is not well-formed Unicode`);
};

/**
 * Checks a login before it is used.
 *
 * @param owner - the function that was given the login
 * @throws {@link InvalidRequestError} naming the part, never its value
 */
export const checkCredentials = (owner: string, credentials: Credentials): Credentials => {
  const { username, password } = credentials;
  check(`${owner}: username`, username);
  check(`${owner}: password`, password);
  if (username === '') throw new InvalidRequestError(`${owner}: username must not be empty`);
  return credentials;
};

/** The value of `Authorization` for a login (§5.1): UTF-8, then base64 (RFC 7617 §2.1). */
export const formatBasic = ({ username, password }: Credentials): string =>
  `${authScheme.basic} ${toBase64(`${username}:${password}`)}`;

/** {@link checkCredentials} for Basic, where a colon ends the username. */
export const checkBasicCredentials = (owner: string, credentials: Credentials): Credentials => {
  if (checkCredentials(owner, credentials).username.includes(':'))
    throw new InvalidRequestError(
      `${owner}: username must not have a colon, which ends it in Basic authentication`,
    );
  return credentials;
};

// Not a constant: it would stay in the bundle of who uses no Basic authentication.
const readCredentials = (given: Credentials): Credentials =>
  createReader<Credentials>({ username: undefined, password: undefined })(given, 'basicAuth');

/**
 * Basic authentication, for older APIs (§5.1).
 *
 * @throws {@link InvalidRequestError} for a username with a colon, and for control characters: the server
 * would read a different login
 * @example
 * ```ts
 * const auth = basicAuth({ username, password });
 * const client = createClient({ baseUrl: 'https://api.example.com', auth });
 * ```
 */
export const basicAuth = (given: Credentials): AuthScheme<'basic'> => {
  const credentials = checkBasicCredentials('basicAuth', readCredentials(given));
  const { username, password } = credentials;
  const value = formatBasic(credentials);
  const authorization = { fields: { [header.authorization]: value } };
  return {
    kind: 'basic',
    authorizer: ({ secrets }) => {
      secrets.holder()([value.slice(authScheme.basic.length + 1), `${username}:${password}`, password]);
      return { authorize: () => authorization };
    },
  };
};
