import { createMock, type Duration, type Fault, type MockServer, serve } from 'restkin/mocks';
import { json, record } from '../support/recording-server.ts';
import { logins, ordering, stock } from './declaration.ts';
import { createLargeEndpoints } from './large-endpoints.ts';
import type { Seen, StageOptions, StageUrls } from './stage.ts';

const rows = (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const companies = ids.map((id) => ({ id, name: `Company ${id}`, city: 'Oslo' }));
  const placedAt = '2026-01-02T03:04:05Z';
  const orders = ids.map((id) => ({ id, status: 'open' as const, placedAt, company: { id } }));
  return { companies, feed: companies, parts: companies, orders };
};

const users = [logins.ada, logins.zoe];

/** The servers of one stage. */
export interface StageServers extends AsyncDisposable {
  readonly urls: StageUrls;
  fault(fault: Fault): void;
  advance(by: Duration): void;
  seen(): Seen;
}

/** Starts a mock at two origins, and an origin that no request may reach. */
export const openServers = async ({ records = 120 }: StageOptions): Promise<StageServers> => {
  const large = createLargeEndpoints();
  const mock = createMock([ordering, stock], {
    data: rows(records),
    users,
    endpoints: large.handlers,
  });
  let abandoned = 0;
  const counted: Pick<typeof mock, 'respond'> = {
    respond: async (request) => {
      try {
        return await mock.respond(request);
      } catch (error) {
        // It rejects only when the client is gone while a fault delays the answer.
        abandoned++;
        throw error;
      }
    },
  };
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const other = await record(() => json([], 200, cors));
  // Nothing listens at another loopback address, while another stage might take a port that was closed.
  const closedUrl = other.url.replace('127.0.0.1', '127.0.0.9');
  // Two origins of one mock: the first request to the API comes on a connection of its own.
  const servers: readonly MockServer[] = [await serve(counted), await serve(counted)];
  const [api, auth] = servers.map(({ url }) => url);
  return {
    urls: { apiUrl: `${api}`, authUrl: `${auth}`, otherUrl: other.url, closedUrl },
    fault: mock.faults.next,
    advance: mock.clock.advance,
    seen: () => ({
      requests: mock.requests
        .filter(({ collection }) => collection !== undefined)
        .map(({ method, status }) => ({ method, status })),
      grants: mock.requests.flatMap(({ grant, status }) =>
        grant === undefined ? [] : [`${grant} ${status}`],
      ),
      abandoned,
      endedDownloads: large.ended(),
      atOther: other.requests.map(({ method, url }) => `${method} ${url}`),
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...servers, other].map((server) => server[Symbol.asyncDispose]()));
    },
  };
};
