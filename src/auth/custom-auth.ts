import { InvalidRequestError } from '../errors/request-error.ts';
import { type HeaderFields, isFieldValue } from '../http/header-fields.ts';
import type { AuthorizedRequest, AuthScheme } from './authorizer.ts';

/** What {@link customAuth} is told about a request. */
export interface CustomAuthRequest extends AuthorizedRequest {
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
      if (given === undefined) return undefined;
      const fields: Record<string, string> = {};
      for (const [name, value] of Object.entries(given)) {
        if (!isFieldValue(value)) {
          throw new InvalidRequestError(
            `customAuth gave a value for ${name} that cannot stand in a header field`,
          );
        }
        fields[name.toLowerCase()] = value;
      }
      return fields;
    },
  }),
});
