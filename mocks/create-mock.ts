// Not from `msw`, which includes web sockets: they would keep a Deno process alive.
import { type HttpHandler, http } from 'msw/http';
import { bindMock, type CoreMock } from './mock.ts';
import type { MockOptions } from './options.ts';
import { withCors } from './responses/cors.ts';
import type { Apis } from './row.ts';

/** The `handlers` of {@link createMock}: request handlers of msw, for `setupServer` and `setupWorker`. */
export type MockHandlers = readonly HttpHandler[];

/** A stateful mock of one API or several, made by {@link createMock}. */
export interface Mock<A extends Apis = Apis> extends CoreMock<A> {
  /**
   * Handlers for msw: `setupServer(...mock.handlers)` of `msw/node`, and in a browser
   * `setupWorker(...mock.handlers)` of `msw/browser`. Requests to anything but the declared collections, the `endpoints`
   * of the options and the token endpoint stay unhandled.
   */
  readonly handlers: MockHandlers;
}

/**
 * Creates a stateful mock of an API, or of several, from its declaration. It behaves like a server that follows the
 * conventions.
 *
 * Use `mock.fetch` with `createClient({ fetch })`, `mock.handlers` with msw in Node or in a browser's worker, or `serve(mock)`
 * over HTTP. Mocks share nothing with each other.
 *
 * @param api - what `defineApi` returned, or an array of such declarations
 * @throws Error for a key in `data`, `generate` or `filter` that is not a collection, a row that does not fit, a schema
 * that no row can be generated from, a path in `endpoints` without the version of an API, and two collections at one path
 * @throws TypeError, RangeError for an invalid option
 * @example
 * ```ts
 * const mock = createMock(ordering, { data: { companies: [{ name: 'Acme', city: 'Oslo' }] } });
 * const client = createClient({ baseUrl, auth, fetch: mock.fetch });
 * for await (const { name } of client.api(ordering).companies.list()) console.log(name); // Acme
 * ```
 */
export const createMock = <const A extends Apis>(api: A, options?: MockOptions<A>): Mock<A> => {
  const { mock, findRoute } = bindMock(api, options);
  const respond = withCors(mock.respond);
  // A request that the mock does not serve stays unhandled: other handlers may serve it, or msw reports it.
  const handler = http.all(
    ({ request }) => findRoute(new URL(request.url)).kind !== 'nothing',
    ({ request }) => respond(request),
  );
  return { ...mock, handlers: [handler] };
};
