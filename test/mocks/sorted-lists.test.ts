import { collection, expandable, resource } from 'restkin';
import { createMock } from 'restkin/mocks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { declare, send } from './calls.ts';

const Firm = resource({ name: z.string() });
const Order = resource({ note: z.string(), firm: expandable(Firm) });
const api = declare({
  firms: collection('firms', Firm),
  orders: collection('orders', Order, { sort: true, paging: true }),
});

/** A mock of orders with these notes, each of a firm with that name. */
const createOrders = (notes: readonly string[]) => {
  const mock = createMock(api, {
    data: {
      firms: notes.map((name) => ({ name })),
      orders: notes.map((note, index) => ({ note, firm: index + 1 })),
    },
  });
  const notesBy = async (sort: string) =>
    (await send(mock, `/v1/orders?sort=${sort}`)).json.map(({ note }: { note: string }) => note);
  return { mock, notesBy };
};

/** How often lists of a length are sorted from now on. */
const countSorts = (length: number) => {
  const sort = vi.spyOn(Array.prototype, 'sort');
  onTestFinished(() => sort.mockRestore());
  return () => sort.mock.contexts.filter((list) => (list as readonly unknown[]).length === length).length;
};

describe('a sorted list of the mock', () => {
  test('is sorted once, however many of its pages are read', async () => {
    const notes = Array.from({ length: 300 }, (_, index) => String((index * 7) % 300).padStart(3, '0'));
    const { mock } = createOrders(notes);
    const sorts = countSorts(300);
    const read: string[] = [];
    for (const page of [1, 2, 3]) {
      const { json } = await send(mock, `/v1/orders?sort=note&perPage=100&page=${page}`);
      read.push(...json.map(({ note }: { note: string }) => note));
    }
    expect(read).toEqual(notes.toSorted());
    expect(sorts()).toBe(1);
  });

  test('is sorted again after a change of its rows', async () => {
    const { mock, notesBy } = createOrders(['b', 'a']);
    expect(await notesBy('note')).toEqual(['a', 'b']);
    await send(mock, '/v1/orders/2', { method: 'PATCH', body: { note: 'c' } });
    expect(await notesBy('note')).toEqual(['b', 'c']);
  });

  test('is sorted again after a change of the rows that it is sorted by', async () => {
    const { mock, notesBy } = createOrders(['b', 'a']);
    expect(await notesBy('firm.name')).toEqual(['a', 'b']);
    await send(mock, '/v1/firms/2', { method: 'PATCH', body: { name: 'c' } });
    expect(await notesBy('firm.name')).toEqual(['b', 'a']);
  });
});
