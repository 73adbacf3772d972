/**
 * A faster `fetch` for Node, over undici. Needs undici.
 *
 * @module restkin/undici
 */

import { Agent, type Dispatcher } from 'undici';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { createReader } from '../options.ts';
import { Exchange, toDispatched } from './undici/exchange.ts';

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * Sends the requests, for example a `ProxyAgent`; the application closes it. By default the first request creates one
   * `Agent` with undici's defaults, which every `undiciFetch()` shares.
   *
   * It must send each request to the request's own origin, as `Agent`, `ProxyAgent` and `MockAgent` do. A `Pool` or a
   * `Client` sends everything to one origin, passwords too, and is refused. The client cannot see redirects and
   * retries of an interceptor.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

// By name, because there may be two copies of undici.
const boundToOneOrigin: ReadonlySet<string> = new Set(['Client', 'Pool', 'BalancedPool', 'RoundRobinPool']);

const checkDispatcher = (_name: string, dispatcher: unknown): void => {
  if (dispatcher === undefined) return;
  if (typeof (dispatcher as Partial<Dispatcher> | null)?.dispatch !== 'function') {
    throw new InvalidRequestError('dispatcher must be a dispatcher of undici, for example an Agent');
  }
  for (let type: unknown = dispatcher; type; type = Object.getPrototypeOf(type)) {
    // A dispatcher may have no class.
    const name = (type as Partial<object>).constructor?.name ?? '';
    if (!boundToOneOrigin.has(name)) continue;
    throw new TypeError(
      `A ${name} sends every request to one origin, even a password for another origin; pass an Agent instead`,
    );
  }
};

const readOptions = createReader<UndiciFetchOptions>({ dispatcher: checkDispatcher });

let shared: Agent | undefined;

const sharedAgent = (): Agent => {
  shared ??= new Agent();
  return shared;
};

/**
 * Makes a `fetch` over a dispatcher of undici. It sends what the built-in `fetch` sends, and costs less CPU.
 *
 * It is made for a client: it never follows a redirect, and only the signal and the dispatcher's time limit for connecting
 * end a request.
 *
 * @throws `InvalidRequestError` for invalid options; TypeError for a dispatcher that is bound to one origin, and in Bun, which
 * has an undici of its own
 * @example
 * ```ts
 * import { createClient } from 'restkin';
 * import { undiciFetch } from 'restkin/undici';
 *
 * const client = createClient({ baseUrl, auth, fetch: undiciFetch() });
 * ```
 */
export const undiciFetch = (
  options?: UndiciFetchOptions,
): ((input: Request | string | URL, init?: RequestInit) => Promise<Response>) => {
  // Bun has its own module with the name undici.
  if (typeof Agent.prototype.dispatch !== 'function')
    throw new TypeError('The undici of this runtime sends no requests; use the built-in fetch (Bun)');
  const { dispatcher } = readOptions(options, 'undiciFetch');
  return async (input, init) => {
    const dispatched = toDispatched(input, init);
    const request = dispatched instanceof Promise ? await dispatched : dispatched;
    request.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      new Exchange(request, resolve, reject).start(dispatcher ?? sharedAgent());
    });
  };
};
