import { header } from '../conventions.ts';
import { ApiError, createClient, customAuth, type Fetch, UnexpectedResponseError } from '../index.ts';
import { parameterNamesOf } from '../schema/collection.ts';
import { schemeNamesOf } from '../schema/define-api.ts';
import type { NamedEndpoint } from '../schema/endpoints-of.ts';
import { isResource } from '../schema/resource.ts';
import { objectOf } from '../schema/zod.ts';
import { createBorder } from './border.ts';
import { differencesIn, fits } from './data.ts';
import { type Exchange, sentStatus } from './exchange.ts';
import { breaks, cannotTell, Judgement, judge, type Verdict } from './judgement.ts';
import type { Examination } from './options.ts';
import type { Session } from './session.ts';
import { nameOf, showType } from './shown.ts';
import type { Wire } from './wire.ts';

// Longer than the waits after a 429. The time limit of each request is that of the run.
const longestCallMs = 600_000;

/** The schema of a response that is not declared. */
const noResponse = objectOf(() => ({}));

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response as the client reads it. Its body is decoded, and may have another length than on the wire. */
const toResponse = ({ status, headers, body }: Exchange): Response => {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(withoutBody.has(status) ? null : body, { status, headers: kept });
};

/** Why an endpoint is not called; undefined for one that is. */
const reasonAgainst = ({ path, declared: { method, options } }: NamedEndpoint): string | undefined => {
  if (method !== 'GET') return `${method} may change something`;
  const names = parameterNamesOf(path);
  if (names.length > 0) return `its path has parameters: ${names.join(', ')}`;
  return options.query === undefined || fits(options.query, {})
    ? undefined
    : 'its query has a required parameter';
};

/** What is wrong with a response that the client does not take. */
const describe = (
  { declared, wire }: NamedEndpoint,
  exchange: Exchange,
  error: UnexpectedResponseError,
): string => {
  const { response } = declared.options;
  if (error.issues.length === 0 || response === undefined)
    return `${exchange.status} with ${showType(exchange.headers.get(header.contentType))}`;
  const { json } = exchange.sent ?? exchange;
  const body = isResource(response) ? exchange.json : (wire?.readIds(json, response) ?? json);
  const paths = differencesIn(response, [body], false).flatMap(({ path }) =>
    path === '' ? [] : [`\`${path}\``],
  );
  return `${paths.join(', ') || 'a body'} that does not fit`;
};

/** Turns what a call failed with into a judgement. */
const judgeFailure = (endpoint: NamedEndpoint, exchange: Exchange, error: unknown): never => {
  const { request, status } = exchange;
  if (error instanceof UnexpectedResponseError)
    return breaks(exchange, 'data that fits the declaration', describe(endpoint, exchange, error), 'fatal');
  if (status === 401 || status === 403) return cannotTell(`${nameOf(request)} got ${status}`);
  if (error instanceof ApiError) return breaks(exchange, '200', `${sentStatus(exchange)}`, 'fatal');
  throw error;
};

type Call = () => Promise<unknown>;

/**
 * Makes the check of endpoints: one with GET that needs no parameter is called as a program calls it, within
 * the budget of the run.
 */
export const createEndpointCheck = (
  { api, base, signal, allowInsecure }: Examination,
  wire: Wire,
  session: Session,
): ((endpoint: NamedEndpoint) => Promise<Verdict>) => {
  const call = async (endpoint: NamedEndpoint): Promise<void> => {
    const border = createBorder(endpoint.wire, endpoint.declared.options.response ?? noResponse);
    const credentials = await session.authorize();
    let received: Exchange | undefined;
    let ended: unknown;
    const fetch: Fetch = async (url, { headers }) => {
      try {
        const request = { method: 'GET', url, headers, shown: border.shown } as const;
        received = await wire.send(request, { read: (sent) => border.read(sent, false, () => url) });
      } catch (error) {
        ended = error;
        throw error;
      }
      return toResponse(received.sent ?? received);
    };
    const scheme = customAuth(({ refused }) => (refused ? undefined : credentials));
    const client = createClient({
      baseUrl: base.href,
      auth: Object.fromEntries(schemeNamesOf(api).map((name) => [name, scheme])),
      fetch,
      allowInsecure,
      retry: false,
      requestIdHeader: false,
      timeoutMs: longestCallMs,
      deadlineMs: longestCallMs,
    });
    // The types of a client come from a declaration that the compiler knows.
    const functions = client.api(api) as Readonly<Record<string, unknown>>;
    try {
      await (functions[endpoint.name] as Call)();
    } catch (error) {
      signal?.throwIfAborted();
      if (ended !== undefined) throw ended;
      if (received === undefined) throw error;
      judgeFailure(endpoint, received, error);
    }
  };

  return async (endpoint) => {
    const reason = reasonAgainst(endpoint);
    if (reason !== undefined) return { outcome: 'cannotTell', reason };
    const end = await judge(() => call(endpoint));
    return end instanceof Judgement ? end.verdict : { outcome: 'pass' };
  };
};
