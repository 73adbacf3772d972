import { header } from '../conventions/headers.ts';
import { authScheme } from '../conventions/schemes.ts';
import type { HeaderFields } from '../http/header-fields.ts';
import type { ApiResponse, Send } from '../http/message.ts';
import type { Authorizer } from './authorizer.ts';

/** A scheme that a client has and an API takes. */
export interface NamedAuthorizer {
  readonly kind: 'token' | 'basic' | 'custom';
  readonly authorizer: Authorizer;
}

/** True when the challenge of a 401 names Basic and not Bearer (RFC 9110 §11.6.1). */
const asksForBasic = ({ headers }: ApiResponse): boolean => {
  // What a realm says is no scheme.
  const challenge = (headers.get(header.wwwAuthenticate) ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const names = (scheme: string): boolean =>
    new RegExp(`(?:^|,)\\s*${scheme}(?:\\s|,|$)`, 'i').test(challenge);
  return names(authScheme.basic) && !names(authScheme.bearer);
};

/**
 * Sends each request with credentials (§5). A 401 is answered once with renewed ones, outside of the retry budget.
 *
 * An API that takes tokens and Basic gets Basic from the request on that is refused with a fresh token and a
 * challenge for Basic alone; that is remembered.
 *
 * @param schemes - those that the API takes, in its order of preference; at least one
 */
export const withAuthorization = (send: Send, schemes: readonly NamedAuthorizer[]): Send => {
  let chosen = 0;

  return async (request) => {
    const attempt = async (index: number): Promise<ApiResponse> => {
      const { authorizer } = schemes[index] as NamedAuthorizer;
      const sendWith = (fields: HeaderFields = {}): Promise<ApiResponse> =>
        send({ ...request, headers: { ...request.headers, ...fields }, user: authorizer.user(fields) });

      const fields = await authorizer.authorize(request);
      const response = await sendWith(fields);
      if (response.status !== 401) return response;
      const renewed = await authorizer.authorize(request, fields ?? {});
      return renewed === undefined ? response : sendWith(renewed);
    };

    const used = chosen;
    const response = await attempt(used);
    if (response.status !== 401 || schemes[used]?.kind !== 'token' || !asksForBasic(response))
      return response;
    const basic = schemes.findIndex(({ kind }) => kind === 'basic');
    if (basic < 0) return response;
    chosen = basic;
    return attempt(basic);
  };
};
