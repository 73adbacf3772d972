import { basicAuth, createClient } from 'restkin';
import { createMock, type MockOptions } from 'restkin/mocks';
import { login } from '../support/basic-ordering.ts';
import { office } from '../support/endpoints.ts';

export const baseUrl = 'https://api.test';

export const auth = basicAuth(login);

/** What a mock of the office serves unless a test says otherwise. */
export const optionsOf = (options: MockOptions<typeof office> = {}): MockOptions<typeof office> => ({
  generate: { companies: 2, orders: 3 },
  ...options,
});

/** A mock of the office, and its client. */
export const officeOf = (options?: MockOptions<typeof office>) => {
  const mock = createMock(office, optionsOf(options));
  const client = createClient({ baseUrl, auth, fetch: mock.fetch, retry: false });
  return { mock, client, ...client.api(office) };
};
