import {
  type ApiClient,
  type ApiDeclaration,
  basicAuth,
  type Client,
  type ClientOptions,
  createClient,
  tokenAuth,
} from 'restkin';
import { type Apis, createMock, type Mock, type MockOptions } from 'restkin/mocks';
import { test } from 'vitest';
import type { RuleId } from '../../src/doctor/rules.ts';
import { createSend, login, type Send } from './conformance-send.ts';
import { type OpenTransport, openTransport, type Transport } from './conformance-transports.ts';

/** The API of a mock; of several the first. */
type First<A extends Apis> = A extends readonly (infer One)[] ? One : A;

type ApiOf<A extends Apis> = Extract<First<A>, ApiDeclaration>;

/** A mock that can be reached, and what a test needs to send requests to it. */
export interface Fixture<A extends Apis> {
  readonly mock: Mock;
  /** The base URL of the API. */
  readonly url: string;
  /** The auth URL of the token endpoint (§4.1). */
  readonly authUrl: string;
  /** Sends a request by plain `fetch`, with credentials of the API. */
  readonly send: Send;
  /** A client for this place; its retries do not wait. */
  connect(options?: Partial<ClientOptions>): Client;
  readonly client: Client;
  /** The collections of the API, by the client. */
  readonly api: ApiClient<ApiOf<A>>;
  /** Another mock of the same API at another origin, by the same transport. */
  beside(): Promise<Fixture<A>>;
}

/** The two sides of a rule: what the mock responds to plain `fetch`, and what the client does. */
export interface Sides<A extends Apis> {
  readonly fetch?: (fixture: Fixture<A>) => Promise<void>;
  readonly client?: (fixture: Fixture<A>) => Promise<void>;
}

const isList = (apis: Apis): apis is readonly ApiDeclaration[] => Array.isArray(apis);

const schemeFor = ({ auth }: ApiDeclaration, authUrl: string) =>
  auth === 'basic' ? basicAuth(login) : tokenAuth({ authUrl, ...login });

const arrange = async <A extends Apis>(
  apis: A,
  options: MockOptions<A>,
  transport: OpenTransport,
): Promise<Fixture<A>> => {
  const { mock, url, authUrl } = await transport.place((where) => createMock(apis, { ...options, ...where }));
  // The first of a list is what First<A> names, and an API is the first of itself.
  const api = (isList(apis) ? apis[0] : apis) as ApiOf<A>;
  const connect = (changes: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: url, auth: schemeFor(api, authUrl), retry: { baseDelayMs: 1 }, ...changes });
  const client = connect();
  return {
    mock,
    url,
    authUrl,
    send: createSend(url, authUrl, api.auth),
    connect,
    client,
    get api() {
      return client.api(api);
    },
    beside: () => arrange(apis, options, transport),
  };
};

/** A mock that each test is given anew: its API, or several, and what it starts with. */
export interface Setup<A extends Apis> {
  readonly apis: A;
  readonly options: MockOptions<A>;
}

/** The mock of an API, or of several, with these options. */
export const mockOf = <const A extends Apis>(apis: A, options: MockOptions<A> = {}): Setup<A> => ({
  apis,
  options,
});

type Title = `${RuleId} ${string}`;

/**
 * Tests a rule of the conventions on both sides, each with a mock of its own. The title begins with the id of
 * the rule. Several titles are for rules that say the same in several sections.
 *
 * @param transports - `msw` by default; a rule that depends on the transport is also tested over HTTP
 * @example
 * ```ts
 * check(mockOf(shop, { data }), '§4.4 sort is ascending without a prefix', {
 *   fetch: async ({ send }) => expect(idsOf(rowsOf(await send('/v1/orders?sort=id')))).toEqual([1, 2]),
 *   client: async ({ api }) => {
 *     const sorted = await api.orders.list({ sort: ['id'] }).toArray();
 *     expect(idsOf(sorted)).toEqual([1, 2]);
 *   },
 * });
 * ```
 */
export const check = <A extends Apis>(
  { apis, options }: Setup<A>,
  title: Title | readonly Title[],
  sides: Sides<A>,
  transports: readonly Transport[] = ['msw'],
): void => {
  for (const transport of transports) {
    for (const side of ['fetch', 'client'] as const) {
      const run = sides[side];
      if (run === undefined) continue;
      test.each([title].flat())(`%s [${transport === 'HTTP' ? 'HTTP, ' : ''}${side}]`, async () => {
        await using open = openTransport(transport, apis);
        await run(await arrange(apis, options, open));
      });
    }
  }
};

/** Both transports, for a rule that depends on them. */
export const bothTransports: readonly Transport[] = ['msw', 'HTTP'];
