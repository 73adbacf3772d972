import { header } from '../src/conventions/headers.ts';
import {
  disallowedMethods,
  type Method,
  methodRules,
  type Operation,
  operationMethods,
} from '../src/conventions/methods.ts';
import { authorize } from './authorize.ts';
import { readText } from './body.ts';
import type { Endpoint } from './endpoints.ts';
import { formatErrorBody, jsonAnswer, Refusal, refusalAnswer } from './error-answer.ts';
import { delay, faultAnswer } from './faults.ts';
import { checkAccept } from './negotiate.ts';
import { type Call, get, list } from './read.ts';
import type { LogEntry } from './request-log.ts';
import { type CollectionRoute, type Route, readRoute } from './routes.ts';
import { answerTokenRequest, grantOf, readForm } from './token-endpoint.ts';
import type { World } from './world.ts';
import { create, remove, replace, update } from './write.ts';

/** Answers a request; the core that `fetch`, the msw handlers and the server are thin bindings of. */
export type Respond = (request: Request) => Promise<Response>;

const operate: Readonly<Record<Operation, (call: Call) => Promise<Response>>> = {
  list,
  get,
  create,
  replace,
  update,
  delete: remove,
};

const operationsAt: Readonly<Record<CollectionRoute['kind'], readonly Operation[]>> = {
  collection: ['list', 'create'],
  item: ['get', 'replace', 'update', 'delete'],
};

const available = (kind: CollectionRoute['kind'], endpoint: Endpoint): ReadonlyMap<Method, Operation> =>
  new Map(
    operationsAt[kind]
      .filter((operation) => endpoint.operations.has(operation))
      .map((operation) => [operationMethods[operation], operation]),
  );

const isMethod = (method: string): method is Method => Object.hasOwn(methodRules, method);

const answerCollection = (request: Request, url: URL, route: CollectionRoute, world: World) => {
  const { endpoint, kind } = route;
  const { method } = request;
  const methods = available(kind, endpoint);
  const listed = [...methods.keys(), 'OPTIONS'].join(', ');
  const refuseMethod = (): never => {
    throw new Refusal(405, `${method} is not supported here`, undefined, { [header.allow]: listed });
  };
  // Always 405 (§4.2), also for somebody who may do nothing.
  if ((disallowedMethods as readonly string[]).includes(method)) return refuseMethod();
  const values = readRoute(route);
  authorize(request, endpoint, world);
  const operation = isMethod(method) ? methods.get(method) : undefined;
  if (operation === undefined && method !== 'OPTIONS') return refuseMethod();
  checkAccept(request);
  // The conventions list the methods in Accept, where RFC 9110 has Allow (§4.2).
  if (operation === undefined)
    return new Response(null, { status: 200, headers: { [header.accept]: listed } });
  return operate[operation]({ request, url, route, values, world });
};

const answerRoute = async (request: Request, url: URL, route: Route, form: URLSearchParams, world: World) => {
  if (route.kind === 'token') return answerTokenRequest(request, form, world);
  if (route.kind === 'nothing') throw new Refusal(404, `There is nothing at ${url.pathname}`);
  return answerCollection(request, url, route, world);
};

const withHeaders = (response: Response, added: Readonly<Record<string, string>>): Response => {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
};

const settle = async (work: () => Promise<Response>): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  }
};

const answer = async (request: Request, url: URL, entry: LogEntry, world: World): Promise<Response> => {
  const route = world.findRoute(url);
  // Read before a fault, so that the log names the grant of a token request that fails.
  const form = readForm(route.kind === 'token' ? await readText(request) : '');
  const grant = grantOf(form);
  if (grant !== undefined) entry.grant = grant;
  const fault = world.faults.take(route);
  if (fault?.delayMs !== undefined) await delay(fault.delayMs, request.signal);
  const instead = fault && faultAnswer(fault);
  if (instead !== undefined) return instead;
  const usual = await settle(() => answerRoute(request, url, route, form, world));
  return fault?.headers === undefined ? usual : withHeaders(usual, fault.headers);
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
    const entry = world.log.begin(request, url);
    let response: Response;
    try {
      response = await settle(() => answer(request, url, entry, world));
    } catch (error) {
      if (request.signal.aborted) throw error;
      response = failure(error);
    }
    entry.status = response.status;
    // RFC 9110 §9.3.2: HEAD has no body, an error neither.
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
