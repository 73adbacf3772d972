import { createClient, memoryStore, type TokenStore, tokenAuth } from 'restkin';
import { expect, test } from 'vitest';

test('who logs in while a token is waited for never gets the token of the one before', async () => {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Request(input, init).headers.get('authorization') ?? '');
    return Response.json({});
  };
  // The store answers when it is told to, so that the login changes while its first read is under way.
  const inner = memoryStore();
  const gates: (() => void)[] = [];
  const store: TokenStore = {
    read: async (chain) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return inner.read(chain);
    },
    swap: inner.swap,
  };
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { accessToken: 'of-ann' }, store });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  const ask = () => client.request({ method: 'GET', path: 'me' });

  const before = ask();
  await expect.poll(() => gates.length).toBe(1);
  auth.useTokens({ accessToken: 'of-bob' });
  const after = ask();
  await expect.poll(() => gates.length).toBe(2);
  for (const open of gates) open();
  await Promise.all([before, after]);
  expect(sent).toEqual(['Bearer of-bob', 'Bearer of-bob']);
});

test('who logs in while a renewal of the login before fails is not told of that', async () => {
  let refuse: (() => void) | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).endsWith('/auth/token')) {
      return Response.json({ by: new Request(input, init).headers.get('authorization') });
    }
    await new Promise<void>((resolve) => {
      refuse = resolve;
    });
    return Response.json({}, { status: 401 });
  };
  const auth = tokenAuth({ authUrl: 'https://auth.test', tokens: { refreshToken: 'of-ann' } });
  const client = createClient({ baseUrl: 'https://api.test', auth, fetch });
  const asking = client.request({ method: 'GET', path: 'me' });
  await expect.poll(() => refuse).toBeDefined();
  auth.useTokens({ accessToken: 'of-bob' });
  refuse?.();
  expect(await asking).toEqual({ by: 'Bearer of-bob' });
});
