// Not from `msw` itself: its web sockets would keep a Deno process alive.
import { type HttpHandler, http } from 'msw/http';
import { withCors } from './cors.ts';
import type { Respond } from './respond.ts';
import type { FindRoute } from './routes.ts';

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
