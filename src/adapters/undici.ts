/**
 * A faster `fetch` for Node, over undici. Needs undici.
 *
 * @module restkin/undici
 */

import { Agent, type Dispatcher } from 'undici';
import { Exchange } from './undici-exchange.ts';
import { toDispatched } from './undici-request.ts';

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * What sends the requests, for example a `ProxyAgent`; closed by whom it belongs to. By default one `Agent` with
   * undici's defaults is made at the first request, and shared.
   */
  readonly dispatcher?: Dispatcher;
}

let shared: Agent | undefined;

const sharedAgent = (): Agent => {
  shared ??= new Agent();
  return shared;
};

/**
 * Makes a `fetch` over a dispatcher of undici: what goes over the wire is that of the built-in `fetch`, for less CPU.
 *
 * It is made for a client: it never follows a redirect, and has no time limits but the signal's, the
 * dispatcher's one for connecting aside.
 *
 * @example
 * ```ts
 * import { createClient } from 'restkin';
 * import { undiciFetch } from 'restkin/undici';
 *
 * const client = createClient({ baseUrl, auth, fetch: undiciFetch() });
 * ```
 */
export const undiciFetch =
  ({
    dispatcher,
  }: UndiciFetchOptions = {}): ((input: Request | string | URL, init?: RequestInit) => Promise<Response>) =>
  async (input, init) => {
    const dispatched = toDispatched(input, init);
    const { url, signal, options } = dispatched instanceof Promise ? await dispatched : dispatched;
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const { method } = options;
      new Exchange({ url, method, signal, resolve, reject }).start(dispatcher ?? sharedAgent(), options);
    });
  };
