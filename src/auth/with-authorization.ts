import { authScheme, header } from '../conventions.ts';
import type { ApiResponse, Send } from '../http/message.ts';
import type { Authorization, Authorizer } from './auth-scheme.ts';

/** A scheme that a client has and an API takes. */
export interface NamedAuthorizer {
  readonly kind: 'token' | 'basic' | 'custom';
  readonly authorizer: Authorizer;
}

/** True when the challenge of a 401 names Basic and not Bearer (RFC 9110 §11.6.1). */
const asksForBasic = ({ headers }: ApiResponse): boolean => {
  // A quoted realm may contain the name of a scheme.
  const challenge = (headers.get(header.wwwAuthenticate) ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const names = (scheme: string): boolean =>
    new RegExp(`(?:^|,)\\s*${scheme}(?:\\s|,|$)`, 'i').test(challenge);
  return names(authScheme.basic) && !names(authScheme.bearer);
};

// One for a token that was replaced meanwhile, one for a token of another process, one for a token of our own, and one
// because several processes may compete for the renewal.
const mostReplays = 4;

/**
 * Sends each request with credentials (§5). After a 401 it is resent with others, outside the retry budget: once, unless
 * those were not renewed because of this request and are refused, too.
 *
 * For an API that takes tokens and Basic, the client switches to Basic for good when a fresh token is refused with a
 * challenge for Basic alone.
 *
 * @param schemes - those that the API takes, in its order of preference; at least one
 */
export const withAuthorization = (send: Send, schemes: readonly NamedAuthorizer[]): Send => {
  let chosen = 0;

  return async (request) => {
    const sendWith = ({ fields, user }: Authorization): Promise<ApiResponse> =>
      send({ ...request, headers: { ...request.headers, ...fields }, user });

    const attempt = async (index: number): Promise<ApiResponse> => {
      const { authorizer } = schemes[index] as NamedAuthorizer;
      let used = await authorizer.authorize(request);
      let response = await sendWith(used);
      for (let replays = 0; response.status === 401 && replays < mostReplays; replays++) {
        // The server refuses credentials that were renewed because of this request: another renewal does not help.
        if (used.origin === 'renewed') break;
        const next = await authorizer.replace(request, used);
        // The next request has the renewed credentials, this one has no body left.
        if (next === undefined || request.oneShot?.isTaken) break;
        used = next;
        response = await sendWith(used);
      }
      return response;
    };

    const used = chosen;
    const response = await attempt(used);
    if (response.status !== 401 || schemes[used]?.kind !== 'token' || !asksForBasic(response))
      return response;
    const basic = schemes.findIndex(({ kind }) => kind === 'basic');
    if (basic < 0) return response;
    chosen = basic;
    return request.oneShot?.isTaken ? response : attempt(basic);
  };
};
