/**
 * A faster `fetch` for Node, over undici. Needs undici.
 *
 * @module restkin/undici
 */

import { Agent, type Dispatcher } from 'undici';
import { Exchange } from './undici/exchange.ts';
import { toDispatched } from './undici/request.ts';

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * What sends the requests, for example a `ProxyAgent`; closed by whom it belongs to. By default one `Agent` with
   * undici's defaults is made at the first request, and shared.
   *
   * It must send each request to the origin that it is for, as `Agent`, `ProxyAgent` and `MockAgent` do. A `Pool` or a
   * `Client` sends everything to its own, passwords too, and is refused. What an interceptor does, a redirect or a
   * further attempt, is done without the client.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

// By name, because there may be two copies of undici.
const boundToOneOrigin: ReadonlySet<string> = new Set(['Client', 'Pool', 'BalancedPool', 'RoundRobinPool']);

const checkDispatcher = (dispatcher: Dispatcher | undefined): void => {
  for (let type: unknown = dispatcher; type; type = Object.getPrototypeOf(type)) {
    // A dispatcher need not be of a class.
    const name = (type as Partial<object>).constructor?.name ?? '';
    if (!boundToOneOrigin.has(name)) continue;
    throw new TypeError(
      `A ${name} sends every request to its own origin, with the password of another one; use an Agent`,
    );
  }
};

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
 * @throws TypeError for a dispatcher that is bound to one origin
 * @example
 * ```ts
 * import { createClient } from 'restkin';
 * import { undiciFetch } from 'restkin/undici';
 *
 * const client = createClient({ baseUrl, auth, fetch: undiciFetch() });
 * ```
 */
export const undiciFetch = ({
  dispatcher,
}: UndiciFetchOptions = {}): ((input: Request | string | URL, init?: RequestInit) => Promise<Response>) => {
  checkDispatcher(dispatcher);
  return async (input, init) => {
    const dispatched = toDispatched(input, init);
    const { url, signal, options } = dispatched instanceof Promise ? await dispatched : dispatched;
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const { method } = options;
      new Exchange({ url, method, signal, resolve, reject }).start(dispatcher ?? sharedAgent(), options);
    });
  };
};
