import * as z from 'zod/mini';
import { type ShapeOf, value } from '../check.ts';

/** What the `permissions` of a {@link MockUser} decide on. */
export interface PermissionRequest {
  /** As sent, for example `DELETE`. */
  readonly method: string;
  /** The key of the collection in the declaration. */
  readonly collection: string;
  /** The username. */
  readonly user: string;
}

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
  /** Compared letter by letter. */
  readonly username: string;
  /** Compared letter by letter. */
  readonly password: string;
  /** Says whether the user may do this; `false` is a 403 (§5.2.9). Everything is permitted by default. */
  readonly permissions?: ((request: PermissionRequest) => boolean | Promise<boolean>) | undefined;
}

/** The schema of the option `users`. */
export const usersSchema = z
  .array(
    z.strictObject({
      username: value.string,
      password: value.string,
      permissions: z.optional(value.function),
    } satisfies ShapeOf<MockUser>),
  )
  .check(
    z.refine((list) => new Set(list.map(({ username }) => username)).size === list.length, {
      error: 'must have different usernames',
      params: { kind: 'type' },
    }),
  );

/** True when the username and the password belong together; without users, when neither is empty. */
export const isKnownUser = (
  users: readonly MockUser[] | undefined,
  username: string,
  password: string,
): boolean =>
  users === undefined
    ? username !== '' && password !== ''
    : users.some((user) => user.username === username && user.password === password);
