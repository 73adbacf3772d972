import { createMock, type Mock, type MockServer, serve } from 'restkin/mocks';
import { ordering } from '../support/ordering.ts';
import type { Environment } from './run-command.ts';

export const login = { username: 'ada', password: 'p4ssw0rd-of-ada' } as const;

const companies = [
  { id: 1, name: 'Acme', city: 'Utrecht' },
  { id: 2, name: '株式会社', city: 'Tokyo' },
  { id: 3, name: 'Red\u001b[31m\nTwo', city: '=1+1' },
];

const orders = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  status: 'open' as const,
  createdAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  device: { model: `M${index}`, serial: 'a "b", c' },
  lines: [{ id: 1, sku: 'SKU', quantity: 1 }],
  company: { id: (index % 3) + 1 },
  ...(index === 1 ? { note: 'second' } : {}),
}));

/** An API that is served, and how the command finds it. */
export interface Served {
  readonly mock: Mock;
  readonly server: MockServer;
  readonly url: string;
  /** Where it is, and credentials. */
  readonly env: Environment;
}

type Respond = Mock['respond'];

/** Serves 60 orders of 3 companies. */
export const serveOrdering = async (
  wrap: (respond: Respond) => Respond = (respond) => respond,
): Promise<Served> => {
  const mock = createMock(ordering, {
    users: [login],
    data: { companies, orders, feed: companies },
    filter: { feed: { since: () => true, limit: () => true } },
  });
  const server = await serve({ respond: wrap(mock.respond) });
  const where = { RESTKIN_BASE_URL: server.url, RESTKIN_AUTH_URL: server.url };
  const env = { ...where, RESTKIN_USERNAME: login.username, RESTKIN_PASSWORD: login.password };
  return { mock, server, url: server.url, env };
};
