import { beforeDeadline } from '../http/before-deadline.ts';
import { checkFields, type HeaderFields } from '../http/header-fields.ts';
import type { AuthScheme } from './authorizer.ts';

/** What {@link customAuth} is told about a request. */
export interface CustomAuthRequest {
  /** Method of the request. */
  readonly method: string;
  /** Absolute URL of the request, with its query. */
  readonly url: string;
  /** The signal of the call, for what the scheme has to ask elsewhere. */
  readonly signal?: AbortSignal | undefined;
  /** True when the fields given before got a 401: give other ones, or undefined when there are none. */
  readonly refused: boolean;
}

/** Fields that say nothing of who asks: their values stand in texts that are no secret. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'date',
  'user-agent',
]);

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
): AuthScheme<'custom'> => ({
  kind: 'custom',
  authorizer: ({ secrets }) => ({
    authorize: async (request, refused) => {
      const { method, url, signal } = request;
      const asked = Promise.resolve(authorize({ method, url, signal, refused: refused !== undefined }));
      const given = await beforeDeadline(asked, request);
      // A JavaScript function may well give null.
      if (given == null) return undefined;
      const fields = checkFields('customAuth', given);
      secrets.add(Object.entries(fields).flatMap(([name, value]) => (harmless.has(name) ? [] : [value])));
      return fields;
    },
    user: (fields) => JSON.stringify(fields),
  }),
});
