import { environmentManager, QueryClient } from '@tanstack/query-core';
import { type ClientOptions, createClient, tokenAuth } from 'restkin';
import { queries } from 'restkin/query';
import { createOrdering, origin } from '../mocks/calls.ts';
import { ordering } from './ordering.ts';

// As in a page: TanStack Query retries nothing by default where there is no window.
environmentManager.setIsServer(() => false);

export const password = 'p4ssw0rd-of-ada';

/** A mock with so many orders, the queries of a client of it, and a cache. */
export const openCache = (count = 9, options: Partial<ClientOptions> = {}) => {
  const mock = createOrdering({}, count);
  const auth = tokenAuth({ authUrl: origin, username: 'ada', password });
  const client = createClient({
    ...{ baseUrl: origin, auth, fetch: mock.fetch, retry: { baseDelayMs: 1 } },
    ...options,
  });
  let seen = 0;
  return {
    mock,
    client,
    ...queries(client, ordering),
    cache: new QueryClient(),
    /** What was asked of a collection since the last time, as method and page. */
    takeRequests: (): readonly string[] => {
      const taken = mock.requests.slice(seen).filter(({ grant }) => grant === undefined);
      seen = mock.requests.length;
      return taken.map(
        ({ method, path, search }) =>
          `${method} ${path}${search.has('page') ? ` ${search.get('page')}` : ''}`,
      );
    },
    /** Deletes orders behind the client's back. */
    remove: (...ids: readonly number[]): void => {
      const rows = mock.state.rows('orders').filter(({ id }) => !ids.includes(Number(id)));
      mock.state.setRows('orders', rows);
    },
  };
};
