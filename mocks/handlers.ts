import { type HttpHandler, http } from 'msw/http';
import type { FindRoute } from './resources/routes.ts';
import type { Respond } from './respond.ts';
import { withCors } from './responses/cors.ts';

// Not from `msw` itself: its web sockets would keep a Deno process alive.

/** Request handlers of msw, for `setupServer` and `setupWorker`. */
export type MockHandlers = readonly HttpHandler[];

/** Binds a mock to msw. What the mock does not serve stays unhandled, for other handlers or for msw to report. */
export const createHandlers = (respond: Respond, findRoute: FindRoute): MockHandlers => {
  const respondWithCors = withCors(respond);
  return [
    http.all(
      ({ request }) => findRoute(new URL(request.url)).kind !== 'nothing',
      ({ request }) => respondWithCors(request),
    ),
  ];
};
