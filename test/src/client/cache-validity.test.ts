import { UnexpectedResponseError } from 'restkin';
import { expect, onTestFinished, test } from 'vitest';
import { connect, failureOf, order } from '../../support/basic-ordering.ts';
import { json, type RecordedRequest, type Reply, record } from '../../support/recording-server.ts';

const start = async (respond: (request: RecordedRequest) => Reply) => {
  const server = await record(respond);
  onTestFinished(() => server.close());
  return server;
};
const askedWith = ({ requests }: { readonly requests: readonly RecordedRequest[] }) =>
  requests.map(({ headers }) => headers['if-none-match']);

test('a full last page is loaded anew where its 304 has no paging fields, because the list may have grown', async () => {
  const rows = [1, 2, 3, 4];
  const server = await start(({ headers, url }): Reply => {
    const page = Number(new URLSearchParams(url.split('?')[1]).get('page') ?? 1);
    const items = rows.slice(2 * page - 2, 2 * page);
    const etag = `"${items.join('-')}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
    const isLast = 2 * page >= rows.length;
    return json(
      items.map((id) => order(id)),
      200,
      {
        etag,
        'x-pagination-current-page': String(page),
        'x-pagination-page-size': '2',
        ...(isLast ? {} : { link: `</v1/orders?page=${page + 1}>; rel="next"` }),
      },
    );
  });
  const { orders } = connect(server.url, { cache: { entries: 10 } });
  const idsNow = async () => (await orders.list().toArray()).map(({ id }) => id);
  expect(await idsNow()).toEqual([1, 2, 3, 4]);
  rows.push(5);
  expect(await idsNow()).toEqual([1, 2, 3, 4, 5]);
  expect(askedWith(server).slice(2)).toEqual(['"1-2"', '"3-4"', undefined, undefined]);
  // The last page is not full: a further record would have changed it.
  expect(await idsNow()).toEqual([1, 2, 3, 4, 5]);
  expect(askedWith(server).slice(6)).toEqual(['"1-2"', '"3-4"', '"5"']);
});

test('a stored body keeps its own ETag when a 304 has another', async () => {
  let etag = '"v1"';
  const server = await start(({ headers }): Reply => {
    const asked = headers['if-none-match'];
    // As a server that compares with the version of one replica, and sends the one of another.
    if (asked === '"v1"' && etag === '"v1"') return { status: 304, headers: { etag: '"v2"' } };
    return asked === etag
      ? { status: 304, headers: { etag } }
      : json({ ...order(7), note: etag }, 200, { etag });
  });
  const { orders } = connect(server.url, { cache: { entries: 10 } });
  await orders.get(7);
  await orders.get(7);
  etag = '"v2"';
  expect(await orders.get(7)).toMatchObject({ note: '"v2"' });
  expect(askedWith(server)).toEqual([undefined, '"v1"', '"v1"']);
});

test.each([
  ['is not JSON', '{"id":7,"self":"ht'],
  ['does not match the declaration', '{"id":"seven"}'],
])('a body that %s is requested anew, although its ETag is that of the right one', async (_what, body) => {
  const etag = '"v1"';
  const replies: Reply[] = [{ headers: { etag, 'content-type': 'application/json' }, body }];
  const server = await start(
    ({ headers }): Reply =>
      replies.shift() ??
      (headers['if-none-match'] === etag ? { status: 304 } : json(order(7), 200, { etag })),
  );
  const { orders } = connect(server.url, { cache: { entries: 10 } });
  await failureOf(orders.get(7), UnexpectedResponseError);
  expect((await orders.get(7)).id).toBe(7);
  expect((await orders.get(7)).id).toBe(7);
  expect(askedWith(server)).toEqual([undefined, undefined, etag]);
});

test('an empty ETag is none', async () => {
  const server = await start(() => json(order(7), 200, { etag: '' }));
  const { orders } = connect(server.url, { cache: { entries: 10 } });
  await orders.get(7);
  await orders.get(7);
  expect(askedWith(server)).toEqual([undefined, undefined]);
});

test('bytes that the caller changes are whole in the next response', async () => {
  const server = await start(
    ({ headers }): Reply =>
      headers['if-none-match'] === '"v1"'
        ? { status: 304, headers: { etag: '"v1"' } }
        : { status: 200, headers: { etag: '"v1"', 'content-type': 'audio/wav' }, body: 'RIFF' },
  );
  const { client } = connect(server.url, { cache: { entries: 10 } });
  const load = () =>
    client.request({ method: 'GET', path: 'v1/recordings/3', accept: 'audio/wav', as: 'bytes' });
  for (let loads = 0; loads < 3; loads++) {
    const bytes = await load();
    expect(new TextDecoder().decode(bytes)).toBe('RIFF');
    bytes.fill(0);
  }
  expect(askedWith(server)).toEqual([undefined, '"v1"', '"v1"']);
});

test('headers that the caller changes are whole in the next response', async () => {
  const server = await start(({ headers }) =>
    headers['if-none-match'] === '"v1"'
      ? { status: 304, headers: { etag: '"v1"' } }
      : json(order(7), 200, { etag: '"v1"' }),
  );
  const { orders } = connect(server.url, { cache: { entries: 10 } });
  await orders.get(7);
  for (let loads = 0; loads < 2; loads++) {
    const { response } = await orders.get(7).withResponse();
    expect(response.etag).toBe('"v1"');
    response.headers.set('etag', '"changed"');
  }
  expect(askedWith(server)).toEqual([undefined, '"v1"', '"v1"']);
});
