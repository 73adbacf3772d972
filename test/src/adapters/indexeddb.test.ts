import { indexedDbStore } from 'restkin/indexeddb';
import { expect, test } from 'vitest';
import { createTestClient, successes } from '../../faults/clients.ts';
import { startTokenServer } from '../../faults/token-server.ts';

// What it does in a browser is tested there: test/browser.

test('where storage is blocked, calls continue with tokens in memory, with one warning', async () => {
  await using server = await startTokenServer();
  const { call, events } = createTestClient(server, { store: indexedDbStore() });
  expect([await call(), await call()]).toEqual(successes(2));
  expect(events).toMatchObject([{ reason: 'storeFailed' }, { reason: 'first', grant: 'password' }]);
  expect(server.tokenRequests).toEqual(['password']);
});
