/**
 * Handlers for msw that respond as a mock of `restkin/mocks`.
 *
 * @module restkin/msw
 */

// Not from `msw`, which includes web sockets: they would keep a Deno process alive.
import { type HttpHandler, http } from 'msw/http';
import { withCors } from './cors.ts';
import type { Mock } from './mock.ts';

/**
 * The handlers of a mock, for `setupServer` of `msw/node` and `setupWorker` of `msw/browser`. They respond to
 * CORS preflights too. Requests to anything but the declared collections, the `endpoints` of the options and
 * the token endpoint stay unhandled.
 *
 * @example
 * ```ts
 * const server = setupServer(...handlers(mock));
 * ```
 */
export const handlers = (mock: Pick<Mock, 'respond' | 'serves'>): readonly HttpHandler[] => {
  const respond = withCors(mock);
  return [
    http.all(
      ({ request }) => mock.serves(request.url),
      async ({ request }) => {
        try {
          return await respond(request);
        } catch (error) {
          // Nobody waits for the response to an aborted request, and msw would print the error.
          if (request.signal.aborted) return Response.error();
          throw error;
        }
      },
    ),
  ];
};
