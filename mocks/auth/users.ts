import { checkFunction, checkOf, createReader } from '../../src/options.ts';
import { checkString } from '../checks.ts';

/**
 * A user who may obtain tokens (§5.2) and use Basic authentication (§5.1).
 *
 * @example
 * ```ts
 * const reader: MockUser = {
 *   username: 'ada',
 *   password: 'lovelace',
 *   permissions: ({ method }) => method === 'GET',
 * };
 * const mock = createMock(ordering, { users: [reader] });
 * ```
 */
export interface MockUser {
  /** Case-sensitive. */
  readonly username: string;
  /** Case-sensitive. */
  readonly password: string;
  /**
   * Decides whether the user may send a request with this method, to the collection of this key; `false`
   * gives 403 (§5.2.9). Everything is permitted by default.
   */
  readonly permissions?:
    | ((request: { readonly method: string; readonly collection: string }) => boolean | Promise<boolean>)
    | undefined;
}

const readUser = createReader<MockUser>(
  {
    username: checkString,
    password: checkString,
    permissions: checkFunction,
  },
  { required: ['username', 'password'] },
);

/** Checks the option `users`. */
export const checkUsers = (name: string, users: unknown): void => {
  checkOf(Array.isArray, 'an array of users')(name, users);
  // checkOf has made sure of a list; the reader checks its items.
  for (const [index, user] of ((users ?? []) as readonly MockUser[]).entries())
    readUser(user, `${name}[${index}]`, `${name}[${index}].`);
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

/** Who may log in, for a message. It names nobody. */
export const describeUsers = (users: readonly MockUser[] | undefined): string =>
  users === undefined ? 'any username and password that are not empty' : 'the users that it was given';
