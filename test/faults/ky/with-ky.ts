import ky from 'ky';
import type { ClientOptions, Fetch } from 'restkin';
import { kyFetch } from 'restkin/ky';
import { afterAll, vi } from 'vitest';

// An instance with all that would break a promise of the client, and with something at each place where a
// hook may be.
const instance = ky.create({
  retry: { limit: 3, methods: ['get', 'put', 'post', 'patch', 'delete'], delay: () => 1 },
  timeout: 1,
  redirect: 'follow',
  hooks: {
    beforeRequest: [() => undefined],
    afterResponse: [() => undefined],
    beforeError: [({ error }) => error],
  },
  onDownloadProgress: () => undefined,
});
const overKy = kyFetch(instance);
let calls = 0;
const fetch: Fetch = (input, init) => {
  calls++;
  return overKy(input, init);
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
  if (calls === 0) throw new Error('Nothing was sent through ky');
});
