import { header } from '../src/conventions.ts';
import type { LogEntry } from './assertions/request-log.ts';
import { authorize } from './auth/authorize.ts';
import { peekGrant, respondToTokenRequest } from './auth/token-endpoint.ts';
import type { Context } from './context.ts';
import { applyFault, delay, faultResponse } from './faults/faults.ts';
import { type Route, readParameters } from './resources/routes.ts';
import { respondToCollection } from './responses/collection.ts';
import { bodyLimitOf, type LazyBody, peekJson, readBody } from './responses/content.ts';
import {
  type Incoming,
  isDisallowed,
  Refusal,
  refusalResponse,
  refuseMethod,
  toRequest,
  withHeaders,
} from './responses/message.ts';
import type { MockState } from './row.ts';

/** Responds to a request. `fetch`, the msw handlers and the server are thin bindings of it. */
export type Respond = (request: Incoming) => Promise<Response>;

/** A request on its way through the mock. */
interface Visit {
  readonly request: Incoming;
  readonly url: URL;
  readonly route: Route;
  readonly entry: LogEntry;
  readonly run: AbortSignal;
  readonly state: MockState;
}

/** Marks the length of a body as unknown, so that a server sends each piece as soon as it is made. */
const inPieces = (response: Response): Response =>
  response.body === null || response.headers.has(header.contentLength)
    ? response
    : withHeaders(response, (headers) => headers.set('transfer-encoding', 'chunked'));

/**
 * Responds to a request to an own endpoint. Only the handler reads the body.
 *
 * @throws {@link Refusal} 400, 401, 403, 429
 */
const respondToOwn = async (
  request: Incoming,
  { own, encoded }: Extract<Route, { readonly kind: 'own' }>,
  state: MockState,
  context: Context,
): Promise<Response> => {
  context.throttle.count(request.method);
  const parameters = Object.fromEntries(readParameters(encoded));
  await authorize(request, own, context);
  const response: unknown = await own.handler(toRequest(request, true), state, parameters);
  if (response instanceof Response) return inPieces(response);
  throw new TypeError(`the handler of ${own.key} must return a Response`);
};

const respondToRoute = async (visit: Visit, body: LazyBody, context: Context): Promise<Response> => {
  const { request, url, route, run, state } = visit;
  if (route.kind === 'token') return respondToTokenRequest(request, body, context);
  if ('endpoint' in route) return respondToCollection({ request, url, route, body, run, context });
  if (isDisallowed(request.method)) return refuseMethod(request.method, '');
  if (route.kind === 'own') return respondToOwn(request, route, state, context);
  throw new Refusal(404, `There is nothing at ${url.pathname}`);
};

/** The response of a refusal; anything else is thrown again. */
const orRefusal = (error: unknown): Response => {
  if (error instanceof Refusal) return refusalResponse(error);
  throw error;
};

const respondUsually = async (visit: Visit, body: LazyBody, context: Context) => {
  visit.run.throwIfAborted();
  context.work.runDue(context.clock.now());
  const usual = await respondToRoute(visit, body, context).catch(orRefusal);
  const { route, url } = visit;
  const deprecate = 'endpoint' in route ? context.deprecate(route, url) : undefined;
  return deprecate === undefined ? usual : withHeaders(usual, deprecate);
};

/** Logs grant and body before a fault, so that a request that fails has them too. */
const logBody = ({ request, route, entry }: Visit, body: LazyBody): void => {
  if (route.kind === 'token') {
    const grant = peekGrant(body);
    if (grant !== undefined) entry.grant = grant;
  } else if ('endpoint' in route) {
    // Only for a collection: a request to an unknown path may contain a password.
    const json = peekJson(request, body);
    if (json !== undefined) entry.body = json;
  }
};

const respondTo = async (visit: Visit, context: Context) => {
  const { request, route, run } = visit;
  const limit = bodyLimitOf(route, request.method, context.options.maxBodyBytes);
  // The handler of an own endpoint decides whether to read the body.
  const body = route.kind === 'own' ? () => '' : await readBody(request, limit);
  logBody(visit, body);
  // A fault waits for a request of its own run.
  run.throwIfAborted();
  const fault = context.faults.take(route, request.method);
  if (fault === undefined) return respondUsually(visit, body, context);
  if (fault.delayMs !== undefined) await delay(fault.delayMs, request.signal);
  if (fault.cut === 'request') return Response.error();
  return applyFault(faultResponse(fault) ?? (await respondUsually(visit, body, context)), fault);
};

/** The response when the mock, or a function in its options, throws. */
export const failure = (error: unknown): Response =>
  refusalResponse(
    new Refusal(500, `The mock failed: ${error instanceof Error ? error.message : String(error)}`),
  );

/** The core of a mock. It rejects only when a request is aborted. */
export const createRespond =
  (context: Context, state: MockState): Respond =>
  async (request) => {
    const run = context.run.signal;
    const url = new URL(request.url);
    const route = context.findRoute(url);
    const entry = context.log.begin(request, url, route);
    let response: Response;
    try {
      response = await respondTo({ request, url, route, entry, run, state }, context).catch(orRefusal);
    } catch (error) {
      if (request.signal.aborted) throw error;
      response = failure(error);
    }
    entry.status = response.status;
    // RFC 9110 §9.3.2: the response to HEAD has no body. `Response.error()` has none either.
    if (request.method !== 'HEAD' || response.type === 'error') return response;
    return new Response(null, { status: response.status, headers: response.headers });
  };
