import { InvalidRequestError } from '../errors/restkin-error.ts';
import { checkFields, type HeaderFields, secretsOf } from '../http/fields.ts';
import type { ApiRequest } from '../http/message.ts';
import { beforeDeadline } from '../http/timing.ts';
import type { Authorization, AuthScheme } from './authorize.ts';

/** The request for which {@link customAuth} returns credentials. */
export interface CustomAuthRequest {
  /** Method of the request. */
  readonly method: string;
  /** Absolute URL of the request, with its query. */
  readonly url: string;
  /** The signal of the call, for requests that the function itself sends. */
  readonly signal?: AbortSignal | undefined;
  /** True after a 401 to the headers returned before: return others, or undefined when there are none. */
  readonly refused: boolean;
}

/**
 * An API's own style of authentication (§5).
 *
 * @param authorize - returns the headers to send with each attempt; after a 401 it is called once more with
 * `refused: true` and may return undefined
 * @throws {@link InvalidRequestError} for anything but a function; a call throws it for an invalid header
 * @example
 * ```ts
 * const auth = customAuth(() => ({ 'x-api-key': apiKey }));
 * ```
 */
export const customAuth = (
  authorize: (request: CustomAuthRequest) => HeaderFields | undefined | Promise<HeaderFields | undefined>,
): AuthScheme<'custom'> => {
  if (typeof authorize !== 'function')
    throw new InvalidRequestError("customAuth takes a function, such as () => ({ 'x-api-key': apiKey })");
  return {
    kind: 'custom',
    authorizer: (context) => {
      // A server may echo the key of one scheme in its response to a request with another.
      const setHeld = context.secrets.holder();
      const ask = async (request: ApiRequest, refused: boolean): Promise<Authorization | undefined> => {
        const { method, url, signal } = request;
        const asked = Promise.resolve(authorize({ method, url, signal, refused }));
        const given = await beforeDeadline(asked, request);
        // A JavaScript function may return null.
        if (given == null) return undefined;
        const fields = checkFields('The result of customAuth', given);
        const secrets = Object.values(fields).flatMap(secretsOf);
        setHeld(secrets);
        return { fields, secrets };
      };
      return {
        authorize: async (request) => (await ask(request, false)) ?? { fields: {} },
        replace: (request) => ask(request, true),
      };
    },
  };
};
