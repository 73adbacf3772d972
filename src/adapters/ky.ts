/**
 * A `fetch` over the application's own ky instance. Needs ky.
 *
 * @module restkin/ky
 */

import type { KyInstance, Options } from 'ky';
import { InvalidRequestError } from '../errors/restkin-error.ts';

/** Options of the instance that the client overrides. */
const decidedByTheClient: Options = {
  retry: 0,
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  json: undefined,
  searchParams: undefined,
};

/** Runs as the last of the `init` hooks, so that no other hook changes its options. */
const restrict = (options: Options): void => {
  const { fetch = globalThis.fetch } = options;
  Object.assign(options, decidedByTheClient);
  // A hook may replace the client's request by one that would follow redirects.
  options.fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
};

/**
 * Makes a `fetch` that sends each attempt through an instance of ky: with its hooks, its headers, its
 * progress callbacks and its own `fetch`.
 *
 * An attempt is one request, and the client decides which request is retried and for how long. So the
 * instance's `retry`, `timeout`, `totalTimeout`, `throwHttpErrors`, `prefix`, `baseUrl`, `json` and
 * `searchParams` are ignored, redirects are not followed, and a hook that returns `ky.retry()` fails the
 * attempt. The headers of the client replace those of the instance.
 *
 * Hooks see every request of the client, with its passwords and tokens. Requests that a hook sends itself
 * bypass the client.
 *
 * @param instance - for example `ky.create({ hooks })`
 * @throws `InvalidRequestError` for anything but an instance of ky
 * @example
 * ```ts
 * import ky from 'ky';
 * import { createClient } from 'restkin';
 * import { kyFetch } from 'restkin/ky';
 *
 * const http = ky.create({ headers: { 'x-application': 'warehouse' } });
 * const client = createClient({ baseUrl, auth, fetch: kyFetch(http) });
 * ```
 */
export const kyFetch = (
  instance: KyInstance,
): ((input: Request | string | URL, init?: RequestInit) => Promise<Response>) => {
  // A plain `fetch` would also work, but without what the application has set up in its instance.
  if (typeof instance?.extend !== 'function') {
    throw new InvalidRequestError(
      'kyFetch needs an instance of ky; pass `ky`, or what `ky.create()` returns',
    );
  }
  return async (input, init) =>
    // ky would put its prefix in front of a string.
    instance(typeof input === 'string' ? new URL(input) : input, { ...init, hooks: { init: [restrict] } });
};
