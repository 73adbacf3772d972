import type { ApiDeclaration } from '../src/schema/define-api.ts';
import { authorize } from './auth/authorize.ts';
import { respondToTokenRequest } from './auth/token-endpoint.ts';
import { describeNothing } from './collections/nothing.ts';
import type { OwnRoute, Route } from './collections/routes.ts';
import { checkAccept } from './content.ts';
import type { Context } from './context.ts';
import { type Call, createExchange, type Exchange, type Respond, type Stage } from './exchange.ts';
import { withFamily } from './families/with-family.ts';
import { applyFault, delay, faultResponse } from './faults/apply.ts';
import {
  callOption,
  errorResponse,
  isDisallowed,
  listMethods,
  optionsResponse,
  Refusal,
  refuseMethod,
  withHeaders,
} from './message.ts';
import { respondToEndpoint } from './operations/endpoint.ts';
import { methodsAt } from './operations/operate.ts';
import type { MockState } from './row.ts';

const withLog =
  (next: Stage): Stage =>
  async (exchange) => {
    const { request, url, route, context, content } = exchange;
    const entry = context.log.begin(request, url, route);
    const response = await next(exchange);
    // Also where a fault applied. The body of a request to an own endpoint is left to its handler.
    const isRead = request.body !== null && route.kind !== 'own' && route.kind !== 'nothing';
    const body = isRead ? await content().catch(() => undefined) : undefined;
    context.log.end(entry, response.status, body, route.kind === 'token');
    // RFC 9110 §9.3.2: the response to HEAD has no body. `Response.error()` has none either.
    if (request.method !== 'HEAD' || response.type === 'error') return response;
    return new Response(null, { status: response.status, headers: response.headers });
  };

const withFaults =
  (next: Stage): Stage =>
  async (exchange) => {
    const { request, route, context } = exchange;
    // Before the first `await`, so that faults apply to requests in order of arrival.
    const fault = context.faults.take(route, request.method);
    if (fault === undefined) return next(exchange);
    if (fault.delayMs !== undefined) await delay(fault.delayMs, request.signal);
    if (fault.cut === 'request') return Response.error();
    return applyFault(faultResponse(fault) ?? (await next(exchange)), fault);
  };

/** The API of a collection or of a declared endpoint. */
const apiOf = (route: Route): ApiDeclaration | undefined => {
  if (route.kind === 'collection') return route.collection.api;
  return route.kind === 'endpoint' ? route.endpoint.api : undefined;
};

const withDeprecation =
  (next: Stage): Stage =>
  async (exchange) => {
    const { route, url, context } = exchange;
    const response = await next(exchange);
    const api = apiOf(route);
    const change = api && 'base' in route ? context.deprecate(api, route.base, url) : undefined;
    return change === undefined ? response : withHeaders(response, change);
  };

/** Calls the handler of an own endpoint; only the handler reads the body. */
const respondByHandler = async (
  { request, route: { own, parameters }, context }: Exchange<OwnRoute>,
  state: MockState,
): Promise<Response> => {
  if (isDisallowed(request.method)) return refuseMethod(request.method, '');
  await authorize(request, own, context);
  const response: unknown = await callOption(`the handler of ${own.key}`, () =>
    own.handler(request, state, Object.fromEntries(parameters)),
  );
  if (!(response instanceof Response))
    throw new TypeError(`the handler of ${own.key} must return a Response`);
  if (response.bodyUsed)
    throw new TypeError(`the handler of ${own.key} must return a new Response for each request`);
  return response;
};

/** Does what the method of a collection or a resource does (§4.2), after the checks of §5 and §4.3. */
const respondToCollection: Stage<Call> = async (call) => {
  const { request, route, context } = call;
  const methods = methodsAt(route);
  const listed = listMethods([...methods.keys(), ...route.endpointMethods]);
  const isOptions = request.method === 'OPTIONS';
  const operation = isOptions ? async () => optionsResponse(listed) : methods.get(request.method);
  if (operation === undefined) return refuseMethod(request.method, listed);
  await authorize(request, route.collection, context);
  checkAccept(request);
  return operation(call);
};

/**
 * Passes a request to what is at its path. Errors become responses here and nowhere else, unless the request
 * was aborted.
 */
const route =
  (state: MockState): Stage =>
  async (exchange) => {
    const { request, url, route: found, run } = exchange;
    try {
      run.throwIfAborted();
      if (found.kind === 'token') return await respondToTokenRequest(exchange);
      if (found.kind === 'own') return await respondByHandler({ ...exchange, route: found }, state);
      if (found.kind === 'endpoint') return await respondToEndpoint({ ...exchange, route: found }, state);
      if (found.kind === 'collection')
        return await withFamily(respondToCollection)({ ...exchange, route: found });
      if (isDisallowed(request.method)) return refuseMethod(request.method, '');
      throw new Refusal(404, describeNothing(url, found.served));
    } catch (error) {
      if (request.signal.aborted) throw error;
      return errorResponse(error);
    }
  };

/** The mock: its rules in the order in which they apply. It rejects only when a request is aborted. */
export const createRespond = (context: Context, state: MockState): Respond => {
  const respond = withLog(withFaults(withDeprecation(route(state))));
  return (request) => respond(createExchange(request, context));
};
