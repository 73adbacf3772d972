import { header } from '../../src/conventions.ts';
import { authorize } from '../auth/authorize.ts';
import type { Context } from '../context.ts';
import { type Route, readParameters } from '../resources/routes.ts';
import type { MockState } from '../row.ts';
import { type Incoming, toWholeRequest, withHeaders } from './message.ts';
import { countRequest } from './rate-limit.ts';

/** Says that the length is not known, so that a server sends each piece as it is made. */
const inPieces = (response: Response): Response =>
  response.body === null || response.headers.has(header.contentLength)
    ? response
    : withHeaders(response, (headers) => headers.set('transfer-encoding', 'chunked'));

/**
 * Responds to a request to an own endpoint, whose body is not read before.
 *
 * @throws {@link Refusal} 401, 403, 429
 */
export const respondToOwn = async (
  request: Incoming,
  { own, encoded }: Extract<Route, { readonly kind: 'own' }>,
  state: MockState,
  context: Context,
): Promise<Response> => {
  countRequest(request.method, context);
  const parameters = Object.fromEntries(readParameters(encoded));
  await authorize(request, own, context);
  const response: unknown = await own.handler(toWholeRequest(request), state, parameters);
  if (response instanceof Response) return inPieces(response);
  throw new TypeError(`the handler of ${own.key} must return a Response`);
};
