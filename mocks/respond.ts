import { answerCollection } from './answer-collection.ts';
import { withFields } from './answer-text.ts';
import { type BodyText, peekJson, readBody } from './body.ts';
import { formatErrorBody, jsonAnswer, Refusal, refusalAnswer } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import type { LogEntry } from './request-log.ts';
import type { Route } from './routes.ts';
import { delay, faultAnswer, spoil } from './spoil.ts';
import { answerTokenRequest, grantOf, readForm } from './token-endpoint.ts';
import type { World } from './world.ts';

/** Answers a request; the core that `fetch`, the msw handlers and the server are thin bindings of. */
export type Respond = (request: Incoming) => Promise<Response>;

const neverAllowed: readonly string[] = ['HEAD', 'TRACE', 'TRACK'];

const answerRoute = (
  request: Incoming,
  url: URL,
  route: Route,
  text: BodyText,
  world: World,
): Response | Promise<Response> => {
  if (route.kind === 'token') return answerTokenRequest(request, readForm(text()), world);
  // §7.1: 405 "always" for these, also where there is nothing.
  if (neverAllowed.includes(request.method)) throw new Refusal(405, `${request.method} is not supported`);
  if (route.kind === 'nothing') throw new Refusal(404, `There is nothing at ${url.pathname}`);
  return answerCollection(request, url, route, text, world);
};

const settle = async (work: () => Response | Promise<Response>): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  }
};

const answerUsual = async (request: Incoming, url: URL, route: Route, text: BodyText, world: World) => {
  world.work.settle(world.clock.now());
  const usual = await settle(() => answerRoute(request, url, route, text, world));
  const deprecate = 'endpoint' in route ? world.deprecate(route, url) : undefined;
  return deprecate === undefined ? usual : withFields(usual, deprecate);
};

/** Before a fault, so that the log names the grant, and has the body, of a request that fails. */
const noteBody = (request: Incoming, route: Route, text: BodyText, entry: LogEntry): void => {
  if (route.kind === 'token') {
    const grant = grantOf(readForm(text()));
    if (grant !== undefined) entry.grant = grant;
  } else if ('endpoint' in route) {
    // Of a collection alone: a path that leads nowhere may be somebody's login.
    const body = peekJson(request, text);
    if (body !== undefined) entry.body = body;
  }
};

const answer = async (request: Incoming, url: URL, route: Route, entry: LogEntry, world: World) => {
  const text = await readBody(request);
  noteBody(request, route, text, entry);
  const fault = world.faults.take(route, request.method);
  if (fault === undefined) return answerUsual(request, url, route, text, world);
  if (fault.delayMs !== undefined) await delay(fault.delayMs, request.signal);
  if (fault.cut === 'request') return Response.error();
  return spoil(faultAnswer(fault) ?? (await answerUsual(request, url, route, text, world)), fault);
};

const failure = (error: unknown): Response =>
  jsonAnswer(
    500,
    formatErrorBody(`The mock failed: ${error instanceof Error ? error.message : String(error)}`),
  );

/** The core of a mock. It rejects only when a request is aborted while a fault delays it. */
export const createRespond =
  (world: World): Respond =>
  async (request) => {
    const url = new URL(request.url);
    const route = world.findRoute(url);
    const entry = world.log.begin(request, url, route);
    let response: Response;
    try {
      response = await settle(() => answer(request, url, route, entry, world));
    } catch (error) {
      if (request.signal.aborted) throw error;
      response = failure(error);
    }
    entry.status = response.status;
    // RFC 9110 §9.3.2: HEAD has no body, an error neither.
    if (request.method !== 'HEAD' || response.type === 'error') return response;
    return new Response(null, { status: response.status, headers: response.headers });
  };
