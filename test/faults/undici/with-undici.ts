import { undiciFetch } from 'restkin/undici';
import { afterAll, vi } from 'vitest';

// A client without a `fetch` of its own takes the one of the time of the call, so the tests of the built-in fetch run
// over this one as they are.
const fetch = undiciFetch();
let calls = 0;
vi.stubGlobal('fetch', (input: Request | string | URL, init?: RequestInit) => {
  calls++;
  return fetch(input, init);
});

afterAll(() => {
  vi.unstubAllGlobals();
  // Else these were the tests of the built-in fetch a second time.
  if (calls === 0) throw new Error('Nothing was sent with the fetch of undici');
});
