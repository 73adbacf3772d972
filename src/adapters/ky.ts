/**
 * A `fetch` over the application's own ky instance. Needs ky.
 *
 * @module restkin/ky
 */

import type { KyInstance, Options } from 'ky';

/** What the instance says about an attempt, and a client decides by itself. */
const decidedByTheClient: Options = {
  retry: 0,
  timeout: false,
  totalTimeout: false,
  throwHttpErrors: false,
  json: undefined,
  searchParams: undefined,
};

/** The last of the `init` hooks, so that no other one has a say after it. */
const restrict = (options: Options): void => {
  const { fetch = globalThis.fetch } = options;
  Object.assign(options, decidedByTheClient);
  // A hook may put a request of its own in the place of the client's, which would follow redirects.
  options.fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
};

/**
 * Makes a `fetch` that sends each attempt through an instance of ky: with its hooks, its header fields, its progress callbacks
 * and its own `fetch`.
 *
 * An attempt is one request. The instance's `retry`, `timeout`, `totalTimeout`, `throwHttpErrors`, `prefix`, `baseUrl`, `json`
 * and `searchParams` are ignored, redirects are not followed, and a hook that returns `ky.retry()` fails the attempt: which
 * request may be sent again, and for how long, is decided by the client. The header fields of the client replace those of the
 * instance.
 *
 * Hooks see every request of the client, passwords and tokens included. A hook that sends requests by itself sends them
 * without the client.
 *
 * @param instance - for example `ky.create({ hooks })`
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
export const kyFetch =
  (instance: KyInstance): ((input: Request | string | URL, init?: RequestInit) => Promise<Response>) =>
  async (input, init) =>
    // Of a string, ky would make a URL with its own prefix.
    instance(typeof input === 'string' ? new URL(input) : input, { ...init, hooks: { init: [restrict] } });
