import { InvalidRequestError } from '../errors/restkin-error.ts';

/** A login. */
export interface Credentials {
  /** Not empty, without control characters; for Basic without a colon (§5.1). */
  readonly username: string;
  /** Without control characters. */
  readonly password: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 §2 forbids exactly these
const controlCharacter = /[\0-\x1f\x7f]/;

const unpairedSurrogate = /\p{Surrogate}/u;

const check = (name: keyof Credentials, value: unknown): void => {
  if (typeof value !== 'string') throw new InvalidRequestError(`${name} must be a string`);
  if (controlCharacter.test(value)) throw new InvalidRequestError(`${name} must not have control characters`);
  if (unpairedSurrogate.test(value)) throw new InvalidRequestError(`${name} is not well-formed Unicode`);
};

/**
 * Checks a login before it is used.
 *
 * @returns the login
 * @throws {@link InvalidRequestError} naming the part, never its value
 */
export const checkCredentials = (credentials: Credentials): Credentials => {
  const { username, password } = credentials ?? {};
  check('username', username);
  check('password', password);
  if (username === '') throw new InvalidRequestError('username must not be empty');
  return credentials;
};
