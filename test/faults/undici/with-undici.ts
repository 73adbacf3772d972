import type { ClientOptions, Fetch } from 'restkin';
import { undiciFetch } from 'restkin/undici';
import { afterAll, vi } from 'vitest';

const undici = undiciFetch();
let calls = 0;
const fetch: Fetch = (input, init) => {
  calls++;
  return undici(input, init);
};

// The tests of the built-in fetch run as they are over clients that were given this one.
vi.mock('restkin', async (importActual) => {
  const actual = await importActual<typeof import('restkin')>();
  return {
    ...actual,
    createClient: (options: ClientOptions) => actual.createClient({ fetch, ...options }),
  };
});

afterAll(() => {
  // Else these were the tests of the built-in fetch a second time.
  if (calls === 0) throw new Error('Nothing was sent with the fetch of undici');
});
