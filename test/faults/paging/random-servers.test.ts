import { isRestkinError, type Page } from 'restkin';
import { expect, test } from 'vitest';
import { connect, order } from '../../support/basic-ordering.ts';
import fc from '../../support/random.ts';
import { json, type Outcome, type RecordedRequest, record } from '../../support/recording-server.ts';
import { isFullRun } from '../../support/runs.ts';

/** Ways to write the same links (RFC 8288 §3), and to name the same target. */
const spellings: readonly ((relation: string, target: string) => string)[] = [
  (relation, target) => `<${target}>; rel="${relation}"`,
  (relation, target) => `<${target}>;rel=${relation}`,
  (relation, target) => `<${target}> ; title="a, <b>; rel=prev" ; REL="${relation.toUpperCase()}"`,
  (relation, target) => `< ${target} >; type=x; rel="other ${relation}"; rel="first"`,
];
const targets: readonly ((origin: string, query: string) => string)[] = [
  (origin, query) => `${origin}/v1/orders?${query}`,
  (_origin, query) => `/v1/orders?${query}`,
  (_origin, query) => `?${query}#top`,
  (origin, query) => `${origin.replace('http:', 'HTTP:')}/v1/orders?q=a,b;c&${query}`,
];
const totals: readonly ((count: number, page: number) => number | string | undefined)[] = [
  (count) => count,
  () => undefined,
  // A total above the records is an error: without it, the end of the list would be silent.
  (count) => Math.min(1, count),
  () => '-5',
  () => 'many',
  (count, page) => (page % 2 === 0 ? undefined : count),
];
const faults: Readonly<Record<string, Outcome>> = {
  unavailable: { status: 503, body: '<html>' },
  failed: { status: 500 },
  throttled: { status: 429, headers: { 'retry-after': '0' } },
  refused: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  brokenGzip: { headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' }, body: '[]' },
  notJson: { headers: { 'content-type': 'application/json' }, body: '[{"id":' },
  drop: 'drop',
  reset: 'reset',
};

const server = fc.record({
  count: fc.nat({ max: 25 }),
  size: fc.integer({ min: 1, max: 7 }),
  spelling: fc.constantFrom(...spellings),
  target: fc.constantFrom(...targets),
  total: fc.constantFrom(...totals),
  isNumbered: fc.boolean(),
  /** Without links, the totals lead to the next page. */
  isLinked: fc.boolean(),
  /** What becomes of each request, in the order they come; the rest succeeds. */
  faults: fc.array(fc.option(fc.constantFrom(...Object.keys(faults)), { freq: 2 }), { maxLength: 30 }),
});
type Server = typeof server extends fc.Arbitrary<infer S> ? S : never;

const start = (how: Server) =>
  record((request: RecordedRequest, index): Outcome => {
    const fault = faults[how.faults[index] ?? ''];
    if (fault !== undefined) return fault;
    const { host = '' } = request.headers;
    const number = Number(new URLSearchParams(request.url.split('?')[1]).get('page') ?? 1);
    const pages = Math.ceil(how.count / how.size);
    const link = (relation: string, page: number) =>
      how.spelling(relation, how.target(`http://${host}`, `page=${page}`));
    const links = !how.isLinked
      ? []
      : [
          ...(number < pages ? [link('next', number + 1)] : []),
          ...(number > 1 ? [link('prev', number - 1)] : []),
        ];
    const total = how.isLinked ? how.total(how.count, number) : how.count;
    const headers = {
      ...(links.length > 0 ? { link: links } : {}),
      ...(total === undefined ? {} : { 'x-pagination-total-count': String(total) }),
      ...(typeof total === 'number' ? { 'x-pagination-total-pages': `${Math.ceil(total / how.size)}` } : {}),
      ...(how.isNumbered ? { 'x-pagination-current-page': String(number) } : {}),
      'x-pagination-page-size': String(how.size),
    };
    const first = (number - 1) * how.size;
    const ids = Array.from({ length: how.count }, (_, id) => id + 1).slice(first, first + how.size);
    return json(
      ids.map((id) => order(id)),
      200,
      headers,
    );
  });

const reader = fc.record({
  concurrency: fc.integer({ min: 1, max: 8 }),
  way: fc.constantFrom('items', 'pages'),
  /** After how many steps each run is left, until there are no more. */
  stops: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }),
});

test('§4.5 whatever the server writes and however often a run fails or is left, a list gives every record once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(server, reader, async (how, { concurrency, way, stops }) => {
      await using running = await start(how);
      const { orders } = connect(running.url, {
        concurrency: 3,
        retry: { attempts: 2, baseDelayMs: 0 },
      });
      const left = [...stops];
      let ids: number[] = [];
      let from: string | undefined;
      const readPage = ({ items, next }: Page<{ readonly id: number }>): void => {
        ids.push(...items.map(({ id }) => id));
        from = next;
      };
      for (let isComplete = false; !isComplete; ) {
        const list = orders.list({ concurrency, from });
        // Records without their pages have no place to continue from: such a run begins anew.
        if (way === 'items') ids = [];
        const stop = left.shift() ?? Number.POSITIVE_INFINITY;
        let taken = 0;
        try {
          for await (const step of way === 'items' ? list : list.pages()) {
            if ('items' in step) readPage(step);
            else ids.push(step.id);
            if (++taken >= stop) break;
          }
          isComplete = taken < stop || (way === 'pages' && from === undefined);
        } catch (error) {
          // Each failed run has met a fault, and there are thirty at most.
          if (!isRestkinError(error) || running.requests.length > 1_000) throw error;
        }
      }
      expect(ids).toEqual(Array.from({ length: how.count }, (_, index) => index + 1));
    }),
    { numRuns: isFullRun ? 300 : 50 },
  );
}, 120_000);
