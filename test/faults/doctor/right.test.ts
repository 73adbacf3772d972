import { collection, resource } from 'restkin';
import { type Diagnosis, diagnose } from 'restkin/doctor';
import { type Mock, serve } from 'restkin/mocks';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createOwn } from './own-server.ts';
import { breakServer, createShop, examineNotes, findingOf, login } from './server.ts';
import { shop } from './shop.ts';

const failedIn = ({ findings }: Diagnosis) => findings.filter(({ outcome }) => outcome === 'fail');

describe('a server that keeps the conventions has no failure', () => {
  test('when it is written independently, and it is left as it was', async () => {
    const { url, orders, fetch } = createOwn();
    const before = JSON.stringify([...orders]);
    const options = { baseUrl: url, authUrl: url, fetch, ...login, allowWrites: true };
    const diagnosis = await diagnose(shop, options);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(diagnosis.leftBehind).toEqual([]);
    expect(diagnosis.counts.pass).toBeGreaterThan(80);
    expect(JSON.stringify([...orders])).toBe(before);
  });

  const Shipment = resource({ shippedDay: z.nullable(z.int()) });
  const shipments = collection('notes', Shipment, { sort: true, paging: true });
  // The first page of the default order has no nulls.
  const days = Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    shippedDay: index < 40 ? (index * 7) % 40 : null,
  }));

  test('when a collection has no list', async () => {
    const unlisted = collection('notes', Shipment, { operations: ['get'] });
    expect(failedIn(await examineNotes(unlisted, days))).toEqual([]);
  });

  test('when a list needs a parameter of its own', async () => {
    const search = collection('notes', Shipment, { params: z.object({ day: z.int() }) });
    expect(failedIn(await examineNotes(search, days))).toEqual([]);
  });

  test('when nulls are first', async () => {
    const diagnosis = await examineNotes(shipments, days);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§4.4 sort')?.outcome).toBe('pass');
  });

  test('when nulls are last', async () => {
    const unpaged = collection('notes', Shipment, { sort: true });
    const diagnosis = await examineNotes(unpaged, days, async (seen, next) => {
      const reply = await next(seen);
      if (reply.status !== 200 || !seen.url.search.includes('shippedDay')) return reply;
      const rows: { shippedDay: number | null }[] = JSON.parse(reply.body);
      const isNull = ({ shippedDay }: { shippedDay: number | null }) => shippedDay === null;
      const sorted = [...rows.filter((row) => !isNull(row)), ...rows.filter(isNull)];
      return { ...reply, body: JSON.stringify(sorted) };
    });
    expect(findingOf(diagnosis, '§4.4 sort')?.outcome).toBe('pass');
  });

  test('when the keys of a record are data, which no finding shows', async () => {
    const Price = resource({
      prices: z.record(z.string(), z.number()),
      extra: z.unknown(),
    });
    const rows = [{ id: 1, prices: { EUR: 3, 'ada@example.com': 5 }, extra: { 'Some Key': 1, _links: {} } }];
    const diagnosis = await examineNotes(collection('notes', Price), rows);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§2.1 field names')?.outcome).toBe('pass');
    expect(JSON.stringify(diagnosis)).not.toContain('ada@example.com');
  });

  test('when names that a catchall takes are data', async () => {
    const texts = z.object({ fallback: z.string() }).catchall(z.string());
    const Note = resource({ texts, open: z.looseObject({ a: z.string() }) });
    const rows = [{ texts: { fallback: 'Hi', 'en-GB': 'Hello' }, open: { a: '', 'b-c': '' } }];
    const diagnosis = await examineNotes(collection('notes', Note), rows);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§2.1 specific fields')?.outcome).not.toBe('notDeclared');
  });

  test('when its ids are digits, and it has 400 for any other', async () => {
    const notes = collection(
      'notes',
      resource({ id: z.string(), tags: z.array(z.string()), name: z.string() }),
    );
    const rows = [{ id: '17', tags: ['a'], name: 'b' }];
    const isWrong = (path: string): boolean => /^\/v1\/notes\/.*\D/.test(path);
    const diagnosis = await examineNotes(
      notes,
      rows,
      async (seen, next) =>
        isWrong(seen.url.pathname) ? { ...(await next(seen)), status: 400 } : next(seen),
      { allowWrites: true },
    );
    expect(failedIn(diagnosis)).toEqual([]);
    // The marker is no value of the list of strings that comes first.
    expect(findingOf(diagnosis, '§4.2 POST')?.outcome).toBe('pass');
  });

  test.each([
    ['ord_7', /^ord_\d+$/],
    ['ORD-00017', /^ORD-\d{5}$/],
    ['65f1c0ffee65f1c0ffee65f1', /^[\da-f]{24}$/],
    ['0B2C54E1-9A1D-4A7E-8A52-6C1F0C7E5D3A', /^[\dA-F]{8}-(?:[\dA-F]{4}-){3}[\dA-F]{12}$/],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^[0-7][\dA-HJKMNP-TV-Z]{25}$/],
    ['cus_NffrFeUfNV2Hib', /^cus_[A-Za-z\d]{14}$/],
    ['acme', /^[a-z]+$/],
  ])('when its ids are like %s, and it has 400 for an id of another form', async (id, form) => {
    const notes = collection('notes', resource({ id: z.string(), name: z.string() }));
    const diagnosis = await examineNotes(notes, [{ id, name: 'a' }], async (seen, next) => {
      const [, asked] = /^\/v1\/notes\/(.*)/.exec(seen.url.pathname) ?? [];
      const isMalformed = asked !== undefined && !form.test(asked);
      return isMalformed ? { ...(await next(seen)), status: 400 } : next(seen);
    });
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§7.1 404')?.outcome).toBe('pass');
  });

  test('when it has 400 for an id with a wrong check digit', async () => {
    const notes = collection('notes', resource({ id: z.string(), name: z.string() }));
    const diagnosis = await examineNotes(notes, [{ id: 'NL91-ABNA-X', name: 'a' }], async (seen, next) => {
      const reply = await next(seen);
      return seen.url.pathname.startsWith('/v1/notes/') && reply.status === 404
        ? { ...reply, status: 400 }
        : reply;
    });
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§7.1 404')).toMatchObject({
      outcome: 'cannotTell',
      reason: 'the id that was made up got 400, and its form may be wrong',
    });
  });

  /** A shop with the newest order first, whose list changes at some requests. */
  const examineLive = async (change: (mock: Mock<typeof shop>, requests: number) => void) => {
    const mock = createShop();
    let requests = 0;
    const respond = breakServer(mock.respond, (seen, next) => {
      if (seen.url.pathname === '/v1/orders' && seen.method === 'GET') {
        change(mock, ++requests);
        if (!seen.url.searchParams.has('sort')) seen.url.searchParams.set('sort', '-id');
      }
      return next(seen);
    });
    const server = await serve({ respond });
    onTestFinished(() => server.close());
    return diagnose(shop, { baseUrl: server.url, authUrl: server.url, ...login });
  };

  const grow = (mock: Mock<typeof shop>): void => {
    const rows = mock.state.rows('orders');
    const [row] = rows;
    if (row !== undefined) mock.state.setRows('orders', [...rows, { ...row, id: rows.length + 1 }]);
  };

  test.each([3, 4, 7])('when a record comes in front at each request number %i', async (every) => {
    const diagnosis = await examineLive((mock, requests) => {
      if (requests % every === 0) grow(mock);
    });
    expect(failedIn(diagnosis)).toEqual([]);
  });

  test('when a record comes in front at each request', async () => {
    const diagnosis = await examineLive(grow);
    expect(failedIn(diagnosis)).toEqual([]);
    expect(findingOf(diagnosis, '§4.5 Link', 'orders')?.outcome).toBe('cannotTell');
  });

  test('when the first record is deleted now and then', async () => {
    const diagnosis = await examineLive((mock, requests) => {
      if (requests % 5 === 0) mock.state.setRows('orders', mock.state.rows('orders').slice(0, -1));
    });
    expect(failedIn(diagnosis)).toEqual([]);
  });
});
