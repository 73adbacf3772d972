import { checkFields, type HeaderFields } from '../http/header-fields.ts';
import type { AuthScheme } from './authorizer.ts';

/** What {@link customAuth} is told about a request. */
export interface CustomAuthRequest {
  readonly method: string;
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
  /** True when the fields given before got a 401: give other ones, or undefined when there are none. */
  readonly refused: boolean;
}

/**
 * An API's own style of authentication (§5).
 *
 * @param authorize - returns the header fields to send with each attempt; after a 401 it is asked once more with
 * `refused: true` and may return undefined
 * @throws {@link InvalidRequestError} when a field cannot stand in a header
 * @example
 * ```ts
 * const auth = customAuth(() => ({ 'x-api-key': apiKey }));
 * ```
 */
export const customAuth = (
  authorize: (request: CustomAuthRequest) => HeaderFields | undefined | Promise<HeaderFields | undefined>,
): AuthScheme => ({
  kind: 'custom',
  authorizer: () => ({
    authorize: async ({ method, url, signal }, refused) => {
      const given = await authorize({ method, url, signal, refused: refused !== undefined });
      // A JavaScript function may well give null.
      return given == null ? undefined : checkFields('customAuth', given);
    },
    user: (fields) => JSON.stringify(fields),
    secrets: (fields) => Object.values(fields),
  }),
});
