import { formType, header, methodRules } from '../conventions.ts';
import { readRetryAfter } from '../headers/dates.ts';
import { readBody, tooLarge } from '../http/body.ts';
import { readFailure } from '../http/failure.ts';
import { longestTimerMs, wait } from '../http/timing.ts';
import { type Exchange, parseJson, type WireRequest } from './exchange.ts';
import { cannotTell, Judgement } from './judgement.ts';
import type { Examination } from './options.ts';
import { nameOf } from './shown.ts';

export interface SendOptions {
  /**
   * True for the removal of what was created, which is sent even if the run is stopped or its budget is
   * spent.
   */
  readonly isRemoval?: boolean;
  readonly isAnonymous?: boolean;
  /** What the response says in the words of the conventions; itself by default. */
  readonly read?: (exchange: Exchange) => Exchange;
}

const mostBytes = 8_388_608;
const mostWaits = 3;
const longestWaitMs = 60_000;
// A server that is gone is not called again for each rule.
const mostSilent = 3;

/** True for a request that creates and changes no resource. */
const isSafe = ({ method, headers }: WireRequest): boolean =>
  method === 'HEAD' || methodRules[method].safe || headers[header.contentType] === formType;

interface WireState {
  readonly sent: number;
  /** How many requests had no response since the latest response. */
  readonly silent: number;
  readonly isThrottled: boolean;
}

/** Sends the requests of a run, one at a time, within its budget. */
export interface Wire {
  readonly state: WireState;
  /** The responses that report an error in a body, in the order of the requests. The others are not kept. */
  readonly errors: readonly Exchange[];
  /** After a 429 it waits and resends. The check ends when there is no response. */
  send(request: WireRequest, options?: SendOptions): Promise<Exchange>;
}

export const createWire = ({ fetch, timeoutMs = 10_000, maxRequests = 500, signal }: Examination): Wire => {
  const errors: Exchange[] = [];
  const state = { sent: 0, silent: 0, isThrottled: false };

  const attempt = async (request: WireRequest, { isRemoval }: SendOptions): Promise<Exchange> => {
    const { method, url, headers, body = null } = request;
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, longestTimerMs));
    // A request that changes something is never cut off: what it created would be unknown, and left behind.
    const isCut = isSafe(request) && !isRemoval && signal !== undefined;
    state.sent++;
    try {
      const response = await (fetch ?? globalThis.fetch)(url, {
        method,
        headers,
        body,
        signal: isCut ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'manual',
      });
      const read = await readBody(response, 'text', mostBytes);
      if (read === tooLarge)
        return cannotTell(`${nameOf(request)}: the body is larger than ${mostBytes} bytes`);
      state.silent = 0;
      const text = String(read);
      const { status } = response;
      return { request, status, headers: response.headers, body: text, json: parseJson(text) };
    } catch (error) {
      if (error instanceof Judgement) throw error;
      if (isCut) signal.throwIfAborted();
      state.silent++;
      const { cause } = readFailure(error);
      const what = timeout.aborted
        ? `no complete response within ${timeoutMs} ms`
        : `the connection failed (${cause?.code ?? cause?.name ?? 'no reason'})`;
      return cannotTell(`${nameOf(request)}: ${what}`);
    }
  };

  return {
    errors,
    state,
    send: async (request, options = {}) => {
      const { isRemoval = false, read = (exchange) => exchange } = options;
      for (let waits = 0; ; waits++) {
        if (!isRemoval) {
          signal?.throwIfAborted();
          if (state.sent >= maxRequests) return cannotTell(`the budget of ${maxRequests} requests is spent`);
          if (state.silent >= mostSilent)
            return cannotTell(`the last ${mostSilent} requests had no response`);
        }
        const exchange = read(await attempt(request, options));
        if (exchange.status >= 400 && request.method !== 'HEAD') errors.push(exchange);
        if (exchange.status !== 429) return exchange;
        const ms = readRetryAfter(exchange.headers) ?? 1_000 * 2 ** waits;
        // Once the limit outlasted the waits of a request, later ones do not wait.
        if (state.isThrottled || waits === mostWaits || ms > longestWaitMs) {
          state.isThrottled = true;
          return cannotTell(`${nameOf(request)} got 429: the rate limit is reached`);
        }
        await wait(ms, isRemoval ? undefined : signal);
      }
    },
  };
};
