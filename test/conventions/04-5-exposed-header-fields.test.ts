import { expect } from 'vitest';
import { check, mockOf } from '../support/conformance.ts';
import { data, ordering } from '../support/conformance-data.ts';

/** A request of a page at another origin than the API's. */
const headers = { origin: 'https://app.example.com' } as const;

/** What the response has, and a browser shows to such a page. */
const shownOf = (received: Headers): readonly string[] => {
  const exposed = (received.get('access-control-expose-headers') ?? '').split(', ');
  return exposed.filter((name) => received.has(name)).toSorted();
};

const totals = ['current-page', 'page-size', 'total-count', 'total-pages'];
const shown = ['etag', 'link', ...totals.map((name) => `x-pagination-${name}`)];

check(
  mockOf(ordering, { data }),
  '§4.5 exposed header fields are those of a page and its ETag',
  {
    fetch: async ({ send }) => {
      expect(shownOf((await send('/v1/orders?perPage=2', { headers })).headers)).toEqual(shown);
    },
    client: async ({ api }) => {
      const { response } = await api.orders.list({ perPage: 2, headers }).withResponse();
      expect(shownOf(response.headers)).toEqual(shown);
    },
  },
  ['HTTP'],
);
