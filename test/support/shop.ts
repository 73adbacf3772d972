import { basicAuth, type ClientOptions, createClient, defineApi } from 'restkin';
import { ordering } from './ordering.ts';

/** The ordering API behind Basic authentication: every request that a server records is one of the test. */
export const shop = defineApi({ ...ordering, name: 'shop', auth: 'basic' });

type Options = Partial<Omit<ClientOptions, 'baseUrl'>>;

/** A client of a server on this machine; its retries do not wait. */
export const connect = ({ url }: { readonly url: string }, options: Options = {}) =>
  createClient({
    baseUrl: url,
    auth: basicAuth({ username: 'ada', password: 'lovelace' }),
    retry: { baseDelayMs: 1 },
    ...options,
  });

/** The collections of the shop. */
export const shopAt = (server: { readonly url: string }, options?: Options) =>
  connect(server, options).api(shop);

export const companyStub = (id: number) => ({ id, self: `https://api.example.com/v1/companies/${id}` });

export const companyRow = (id: number) => ({ ...companyStub(id), name: `Company ${id}`, city: 'Oslo' });

/** An order as the server returns it when nothing is limited or expanded. */
export const orderRow = (id: number) => ({
  id,
  self: `https://api.example.com/v1/orders/${id}`,
  status: 'open',
  createdAt: '2026-01-02T03:04:05Z',
  device: { model: 'M1', serial: 'S1' },
  lines: [{ id: 1, sku: 'a', quantity: 2 }],
  company: companyStub(3),
});

/** An order as a client sends it. */
export const orderBody = {
  status: 'open',
  createdAt: '2026-01-02T03:04:05Z',
  device: { model: 'M1', serial: 'S1' },
  lines: [{ sku: 'a', quantity: 2 }],
  company: { id: 3 },
} as const;

/** What a promise is rejected with. */
export const rejectionOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => Promise.reject(new Error('It was expected to fail')),
    (error: unknown) => error,
  );
