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
import type { RuleId } from '../conformance/rules.ts';
import { type Door, doors, type OpenDoor } from './conformance-doors.ts';
import { createSend, login, type Send } from './conformance-send.ts';

/** The API of a mock; of several the first. */
type First<A extends Apis> = A extends readonly (infer One)[] ? One : A;

type ApiOf<A extends Apis> = Extract<First<A>, ApiDeclaration>;

/** A mock behind a door, and everything that a test needs to speak to it. */
export interface Visit<A extends Apis> {
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
  /** Another mock of the same API at another origin, through the same door. */
  beside(): Promise<Visit<A>>;
}

/** A sentence in the two voices that can say it: plain `fetch` and the client. */
export interface Voices<A extends Apis> {
  readonly fetch?: (visit: Visit<A>) => Promise<void>;
  readonly client?: (visit: Visit<A>) => Promise<void>;
}

const isList = (apis: Apis): apis is readonly ApiDeclaration[] => Array.isArray(apis);

const schemeFor = ({ auth }: ApiDeclaration, authUrl: string) =>
  auth === 'basic' ? basicAuth(login) : tokenAuth({ authUrl, ...login });

const visit = async <A extends Apis>(apis: A, options: MockOptions<A>, door: OpenDoor): Promise<Visit<A>> => {
  const { mock, url, authUrl } = await door.place((where) => createMock(apis, { ...options, ...where }));
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
    beside: () => visit(apis, options, door),
  };
};

/** A mock that a test is given anew: its API, or several, and what it starts with. */
export interface Stage<A extends Apis> {
  readonly apis: A;
  readonly options: MockOptions<A>;
}

/** The mock of an API, or of several, with these options. */
export const mockOf = <const A extends Apis>(apis: A, options: MockOptions<A> = {}): Stage<A> => ({
  apis,
  options,
});

const checkVisit = async <A extends Apis>(
  { apis, options }: Stage<A>,
  door: Door,
  say: (visit: Visit<A>) => Promise<void>,
): Promise<void> => {
  await using open = door.open(apis);
  await say(await visit(apis, options, open));
};

/**
 * Tests a sentence of the conventions through every door and in both voices: four tests of mocks of their own. The
 * title begins with the id of its rule.
 *
 * @example
 * ```ts
 * check(mockOf(shop, { data }), '§4.4 sort is ascending without a prefix', {
 *   fetch: async ({ send }) => expect(idsOf(rowsOf(await send('/v1/orders?sort=id')))).toEqual([1, 2]),
 *   client: async ({ api }) => expect(idsOf(await api.orders.list({ sort: ['id'] }).toArray())).toEqual([1, 2]),
 * });
 * ```
 */
export const check = <A extends Apis>(
  stage: Stage<A>,
  title: `${RuleId} ${string}`,
  voices: Voices<A>,
): void => {
  const spoken = (['fetch', 'client'] as const).flatMap((voice) => {
    const say = voices[voice];
    return say === undefined ? [] : [{ voice, say }];
  });
  for (const door of doors) {
    for (const { voice, say } of spoken) {
      test(`${title} [${door.name}, ${voice}]`, () => checkVisit(stage, door, say));
    }
  }
};
