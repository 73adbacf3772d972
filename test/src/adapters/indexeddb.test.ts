import { InvalidRequestError } from 'restkin';
import { indexedDbStore } from 'restkin/indexeddb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestClient, successes } from '../../faults/clients.ts';
import { startTokenServer } from '../../faults/token-server.ts';

// What it does in a browser is tested there: test/browser.

test('where storage and messages are refused, calls continue with tokens in memory', async () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('indexedDB', { open: refuse });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        refuse();
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  await using server = await startTokenServer();
  const store = indexedDbStore();
  const { call, events } = createTestClient(server, { store });
  expect([await call(), await call()]).toEqual(successes(2));
  expect(events).toMatchObject([{ reason: 'storeFailed', failure: 'SecurityError' }, { reason: 'first' }]);
  expect(server.tokenRequests).toEqual(['password']);
  await expect(store.key()).rejects.toThrow('The database "restkin" cannot be used');
});

test('refuses options that it does not have', () => {
  for (const options of [{ nmae: 'mine' }, { name: '' }])
    expect(() => indexedDbStore(options as object)).toThrow(InvalidRequestError);
});

describe('the notices between pages', () => {
  const page = new EventTarget();
  const others: BroadcastChannel[] = [];
  const open = new Set<BroadcastChannel>();

  beforeEach(() => {
    open.clear();
    vi.stubGlobal(
      'BroadcastChannel',
      class extends BroadcastChannel {
        constructor(name: string) {
          super(name);
          open.add(this);
        }
        override close(): void {
          open.delete(this);
          super.close();
        }
      },
    );
    // What a page has; no database is opened.
    vi.stubGlobal('indexedDB', {});
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  });

  afterEach(() => {
    for (const other of others.splice(0)) other.close();
    vi.unstubAllGlobals();
  });

  test('a page that was hidden learns that it may have missed some', () => {
    const { watch, close } = indexedDbStore({ name: 'hidden' });
    page.dispatchEvent(new Event('pageshow'));
    // Nobody listens yet.
    expect(open.size).toBe(0);
    const changed = vi.fn<() => void>();
    watch('chain', changed);
    page.dispatchEvent(new Event('pagehide'));
    expect(open.size).toBe(0);
    page.dispatchEvent(new Event('pageshow'));
    expect(changed).toHaveBeenCalledTimes(1);
    close();
  });

  test('reach those who watch the chain, until close()', async () => {
    const { watch, close } = indexedDbStore({ name: 'closed' });
    const changed = vi.fn<() => void>();
    const channel = new BroadcastChannel('restkin closed');
    others.push(channel);
    watch('chain', changed);
    channel.postMessage('other');
    channel.postMessage('chain');
    await expect.poll(() => changed.mock.calls.length).toBe(1);
    close();
    page.dispatchEvent(new Event('pageshow'));
    channel.postMessage('chain');
    // A channel that stays open would keep the page in memory.
    expect([...open]).toEqual(others);
    expect(changed).toHaveBeenCalledTimes(1);
  });
});
