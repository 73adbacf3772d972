import { type Fetch, PagingError } from 'restkin';
import { expect, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
import fc from '../../support/random.ts';
import { isFullRun } from '../../support/runs.ts';

const headerOf = {
  totalPages: 'x-pagination-total-pages',
  totalCount: 'x-pagination-total-count',
  number: 'x-pagination-current-page',
  size: 'x-pagination-page-size',
} as const;
type Part = keyof typeof headerOf;
const parts = Object.keys(headerOf) as readonly Part[];

const server = fc.record({
  count: fc.nat({ max: 25 }),
  /** Records on a page, where the query does not say it. */
  size: fc.integer({ min: 1, max: 7 }),
  mostPerPage: fc.integer({ min: 2, max: 9 }),
  /** How a page leads to the next: by a link with its number or a cursor, or by its number alone. */
  leads: fc.constantFrom('page', 'cursor', 'numbers'),
  sends: fc.subarray([...parts]),
  quote: fc.constantFrom('"', "'", ''),
  /** Parameters of the query that links leave out. */
  loses: fc.subarray(['sort', 'perPage']),
  /** The page whose link is missing. */
  withoutLink: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 3 }),
  ignoresPage: fc.boolean(),
  /** A page beyond the end is the last one again. */
  clamps: fc.boolean(),
  /** The headers that a browser shows; undefined outside of one. */
  exposes: fc.option(fc.subarray<Part | 'link'>([...parts, 'link']), { nil: undefined, freq: 2 }),
});
type Server = typeof server extends fc.Arbitrary<infer S> ? S : never;

const query = fc.record({
  concurrency: fc.integer({ min: 1, max: 5 }),
  sort: fc.option(fc.constant(['-createdAt'] as const), { nil: undefined }),
  perPage: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
});
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

/** Another order than the one that was asked for. */
const unsorted = (ids: readonly number[]): readonly number[] => [...ids].reverse();

const fetchOf =
  (how: Server, { sort }: Query): Fetch =>
  async (requested) => {
    const { searchParams } = new URL(requested);
    const [cursorPage, cursorSize] = (searchParams.get('cursor') ?? '').split('.');
    const size = Math.min(Number(searchParams.get('perPage') ?? how.size), how.mostPerPage);
    const perPage = Number(cursorSize ?? size);
    const pages = Math.ceil(how.count / perPage);
    const asked = Number(searchParams.get('page') ?? (cursorPage || 1));
    const most = how.clamps ? Math.max(1, pages) : asked;
    const number = how.ignoresPage ? 1 : Math.min(asked, most);
    const all = Array.from({ length: how.count }, (_, index) => index + 1);
    // A cursor holds the order of the list; a number does not.
    const hasLostSort = sort !== undefined && !searchParams.has('sort') && !searchParams.has('cursor');
    const ids = (hasLostSort ? unsorted(all) : all).slice((number - 1) * perPage, number * perPage);
    const next = new URL(requested);
    for (const name of how.loses) next.searchParams.delete(name);
    if (how.leads === 'page') next.searchParams.set('page', String(asked + 1));
    else next.search = `cursor=${asked + 1}.${perPage}`;
    const values = {
      totalPages: pages,
      totalCount: how.count,
      number,
      size: perPage,
    };
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const part of how.sends) {
      if (how.exposes?.includes(part) !== false) headers.set(headerOf[part], String(values[part]));
    }
    const isLinked = how.leads !== 'numbers' && how.withoutLink !== asked && number * perPage < how.count;
    const link = `<${next.href}>; rel=${how.quote}next${how.quote}`;
    if (isLinked && how.exposes?.includes('link') !== false) headers.set('link', link);
    const body = JSON.stringify(ids.map((id) => order(id)));
    return {
      status: 200,
      headers,
      type: how.exposes === undefined ? 'basic' : 'cors',
      text: async () => body,
      arrayBuffer: async () => new ArrayBuffer(0),
    };
  };

/** True where nothing that the client gets says that more records follow: such an end cannot be told. */
const isUntold = ({ sends, leads, withoutLink, exposes, loses }: Server, { perPage }: Query): boolean => {
  const shows = (part: Part): boolean => sends.includes(part) && exposes?.includes(part) !== false;
  if (leads === 'page' && loses.includes('perPage') && perPage !== undefined && !shows('size')) return true;
  const hasTotal = shows('totalCount') || shows('totalPages');
  if (hasTotal || exposes?.includes('link') === false) return false;
  return withoutLink !== undefined || (leads === 'numbers' && exposes === undefined);
};

const isSound = ({ leads, loses, withoutLink, ignoresPage, exposes }: Server): boolean =>
  leads !== 'numbers' &&
  (leads === 'cursor' || loses.length === 0) &&
  withoutLink === undefined &&
  !ignoresPage &&
  exposes === undefined;

test('§4.5 whatever the headers of a server leave out, a list gives every record once, or it is a PagingError', async () => {
  await fc.assert(
    fc.asyncProperty(server, query, async (how, asked) => {
      fc.pre(!isUntold(how, asked));
      const { orders } = connect('https://api.test', { fetch: fetchOf(how, asked) });
      const ids: number[] = [];
      let error: unknown;
      try {
        for await (const { id } of orders.list(asked)) ids.push(id);
      } catch (thrown) {
        error = thrown;
      }
      const all = Array.from({ length: how.count }, (_, index) => index + 1);
      // What came before an error is the beginning of the list.
      const expected = error === undefined ? all : all.slice(0, ids.length);
      expect(ids).toEqual(expected);
      expect(error === undefined || error instanceof PagingError).toBe(true);
      expect(error !== undefined && isSound(how)).toBe(false);
    }),
    { numRuns: isFullRun ? 30_000 : 2_000 },
  );
}, 240_000);
