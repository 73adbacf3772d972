import { open } from 'node:fs/promises';
import type { CollectionOf } from 'restkin';
import type { ordering } from '../ordering.ts';
import { type ExportState, readState, writeState } from './state.ts';

const perPage = 100;

/**
 * Writes every order as a line of JSON, and goes on where an earlier run stopped, however that ended.
 *
 * The order of two writes makes each record appear once: first the lines, then the state that counts them. A crash
 * between the two leaves lines that no state counts, which the next run cuts off and reads again.
 */
export const exportOrders = async (
  orders: CollectionOf<typeof ordering.collections.orders>,
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
    let lines: string[] = [];
    // By id, so that an order which is created meanwhile comes behind all others and moves none of them.
    const list = orders.list({ sort: ['id'], perPage, from: state.position, signal });

    const save = async (complete: boolean): Promise<void> => {
      const chunk = Buffer.from(lines.join(''));
      await file.appendFile(chunk);
      await file.sync();
      state = {
        ...(list.position !== undefined && { position: list.position }),
        records: state.records + lines.length,
        bytes: state.bytes + chunk.length,
        complete,
      };
      await writeState(statePath, state);
      lines = [];
      if (!complete) onSaved(state);
    };

    for await (const order of list) {
      lines.push(`${JSON.stringify(order)}\n`);
      // The loop waits for the disk here, and the list with it: it reads no more than a few pages ahead.
      if (lines.length === perPage) await save(false);
    }
    await save(true);
    return state;
  } finally {
    await file.close();
  }
};
