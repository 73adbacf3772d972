import { header } from '../src/conventions/headers.ts';
import { disallowedMethods } from '../src/conventions/methods.ts';
import { answerCollection } from './answer-collection.ts';
import { withFields } from './answer-text.ts';
import { type BodyText, bodyLimitOf, peekJson, readBody } from './body.ts';
import { formatErrorBody, jsonAnswer, Refusal, refusalAnswer } from './error-answer.ts';
import type { Incoming } from './incoming.ts';
import type { LogEntry } from './request-log.ts';
import type { Route } from './routes.ts';
import { ensureCurrent } from './run.ts';
import { delay, faultAnswer, spoil } from './spoil.ts';
import { answerTokenRequest, peekGrant } from './token-endpoint.ts';
import type { World } from './world.ts';

/** Answers a request; the core that `fetch`, the msw handlers and the server are thin bindings of. */
export type Respond = (request: Incoming) => Promise<Response>;

/** A request since it came. */
interface Visit {
  readonly request: Incoming;
  readonly url: URL;
  readonly route: Route;
  readonly entry: LogEntry;
  readonly run: number;
}

const refuseNothing = (method: string, { pathname }: URL): never => {
  // §7.1: 405 "always" for these, also where there is nothing; RFC 9110 §10.2.1: an empty field for no method at all.
  if ((disallowedMethods as readonly string[]).includes(method))
    throw new Refusal(405, `${method} is not supported`, undefined, { [header.allow]: '' });
  throw new Refusal(404, `There is nothing at ${pathname}`);
};

const answerRoute = (visit: Visit, text: BodyText, world: World): Response | Promise<Response> => {
  const { request, url, route, run } = visit;
  if (route.kind === 'token') return answerTokenRequest(request, text, world);
  if (route.kind === 'nothing') return refuseNothing(request.method, url);
  return answerCollection({ request, url, route, text, run, world });
};

const settle = async (work: () => Response | Promise<Response>): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  }
};

const answerUsual = async (visit: Visit, text: BodyText, world: World) => {
  ensureCurrent(visit.run, world);
  world.work.settle(world.clock.now());
  const usual = await settle(() => answerRoute(visit, text, world));
  const { route, url } = visit;
  const deprecate = 'endpoint' in route ? world.deprecate(route, url) : undefined;
  return deprecate === undefined ? usual : withFields(usual, deprecate);
};

/** Before a fault, so that the log names the grant, and has the body, of a request that fails. */
const noteBody = ({ request, route, entry }: Visit, text: BodyText): void => {
  if (route.kind === 'token') {
    const grant = peekGrant(text);
    if (grant !== undefined) entry.grant = grant;
  } else if ('endpoint' in route) {
    // Of a collection alone: a path that leads nowhere may be somebody's login.
    const body = peekJson(request, text);
    if (body !== undefined) entry.body = body;
  }
};

const answer = async (visit: Visit, world: World) => {
  const { request, route, run } = visit;
  const text = await readBody(request, bodyLimitOf(route, request.method, world.maxBodyBytes));
  noteBody(visit, text);
  // A fault waits for a request of its own run.
  ensureCurrent(run, world);
  const fault = world.faults.take(route, request.method);
  if (fault === undefined) return answerUsual(visit, text, world);
  if (fault.delayMs !== undefined) await delay(fault.delayMs, request.signal);
  if (fault.cut === 'request') return Response.error();
  return spoil(faultAnswer(fault) ?? (await answerUsual(visit, text, world)), fault);
};

/** The answer where the mock itself, or code that it was given, has failed. */
export const failure = (error: unknown): Response =>
  jsonAnswer(
    500,
    formatErrorBody(`The mock failed: ${error instanceof Error ? error.message : String(error)}`),
  );

/** The core of a mock. It rejects only when a request is aborted while a fault delays it. */
export const createRespond =
  (world: World): Respond =>
  async (request) => {
    const run = world.run.count;
    const url = new URL(request.url);
    const route = world.findRoute(url);
    const entry = world.log.begin(request, url, route);
    let response: Response;
    try {
      response = await settle(() => answer({ request, url, route, entry, run }, world));
    } catch (error) {
      if (request.signal.aborted) throw error;
      response = failure(error);
    }
    entry.status = response.status;
    // RFC 9110 §9.3.2: HEAD has no body, an error neither.
    if (request.method !== 'HEAD' || response.type === 'error') return response;
    return new Response(null, { status: response.status, headers: response.headers });
  };
