import { open } from 'node:fs/promises';
import type { ClientOf } from 'restkin';
import type { ordering } from '../ordering.ts';
import { type ExportState, readState, writeState } from './state.ts';

const perPage = 100;

/**
 * Writes every order as a line of JSON, and continues where an earlier run stopped, however that ended.
 *
 * The order of two writes makes each record appear once: first the lines of a page, then the state that
 * counts them. A crash between the two leaves lines that no state counts, which the next run cuts off and
 * reads again.
 */
export const exportOrders = async (
  orders: ClientOf<typeof ordering.collections.orders>,
  path: string,
  signal: AbortSignal,
  onSaved: (state: ExportState) => void,
): Promise<ExportState> => {
  const statePath = `${path}.state`;
  let state = await readState(statePath);
  if (state.complete) return state;

  const file = await open(path, 'a');
  try {
    const { size } = await file.stat();
    if (size < state.bytes)
      throw new Error(`${path} is shorter than ${statePath} says: delete both to start anew`);
    await file.truncate(state.bytes);
    // By id, so that an order which is created meanwhile comes behind all others and moves none of them.
    const list = orders.list({ sort: ['id'], perPage, from: state.next, signal });

    // The loop waits for the disk here, and the list with it: it reads no more than a few pages ahead.
    for await (const { items, next } of list.pages()) {
      const chunk = Buffer.from(items.map((order) => `${JSON.stringify(order)}\n`).join(''));
      await file.appendFile(chunk);
      await file.sync();
      state = {
        ...(next !== undefined && { next }),
        records: state.records + items.length,
        bytes: state.bytes + chunk.length,
        complete: next === undefined,
      };
      await writeState(statePath, state);
      if (!state.complete) onSaved(state);
    }
    return state;
  } finally {
    await file.close();
  }
};
