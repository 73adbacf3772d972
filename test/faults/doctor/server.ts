import { type Collection, defineApi, type Fetch } from 'restkin';
import { type DiagnoseOptions, type Diagnosis, diagnose } from 'restkin/doctor';
import { createMock, type Mock } from 'restkin/mocks';
import { shop } from './shop.ts';

export const login = { username: 'ada', password: 'p4ssw0rd-of-ada' } as const;

const companies = ['Acme', 'Bolt', 'Cobra', 'Delta', 'Echo'].map((name, index) => ({
  id: index + 1,
  name,
  city: 'Oslo',
}));

const orders = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  status: (['open', 'shipped', 'cancelled'] as const)[index % 3] ?? 'open',
  createdAt: new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 40))).toISOString(),
  note: `note ${(index * 11) % 40}`,
  device: { model: `M${(index * 3) % 40}`, serial: `S${index}` },
  lines: [{ id: 1, sku: `SKU-${index}`, quantity: index + 1 }],
  company: { id: (index % 5) + 1 },
  payer: { id: ((index + 1) % 5) + 1 },
}));

export const createShop = (): Mock<typeof shop> =>
  createMock(shop, { users: [login], data: { companies, orders, feed: companies } });

/** A request as a broken server sees it. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** A response as a broken server may change it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Changes what a server does: its request, its reply, or it responds in place of the server. */
export type Break = (seen: Seen, next: (seen: Seen) => Promise<Reply>) => Reply | Promise<Reply>;

const bodyOf = ({ method, body }: Pick<Seen, 'method' | 'body'>): string | undefined =>
  method === 'GET' || method === 'HEAD' || body === '' ? undefined : body;

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** A server that is broken in one way. */
export const breakServer =
  (respond: Mock['respond'], change: Break): Mock['respond'] =>
  async (request) => {
    const seen: Seen = {
      method: request.method,
      url: new URL(request.url),
      headers: new Headers(request.headers),
      body: await new Response(request.body).text(),
    };
    const next = async (changed: Seen): Promise<Reply> => {
      const { method, url, headers } = changed;
      headers.delete('content-length');
      const response = await respond(new Request(url, { method, headers, body: bodyOf(changed) ?? null }));
      return { status: response.status, headers: new Headers(response.headers), body: await response.text() };
    };
    const { status, headers, body } = await change(seen, next);
    headers.delete('content-length');
    return new Response(withoutBody.has(status) || seen.method === 'HEAD' ? null : body, { status, headers });
  };

const baseUrl = 'http://127.0.0.1:9';

/** The options with which a server is reached without a socket, because hundreds are examined. */
export const reach = (respond: Mock['respond']): DiagnoseOptions => {
  const fetch: Fetch = (url, init) =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      respond(new Request(url, init)).then(resolve, reject);
    });
  return { baseUrl, authUrl: baseUrl, ...login, fetch };
};

/** Examines a shop that is broken in one way. */
export const examineBroken = async (
  change: Break,
  options: Partial<DiagnoseOptions> = {},
): Promise<Diagnosis & { readonly mock: Mock<typeof shop> }> => {
  const mock = createShop();
  const diagnosis = await diagnose(shop, { ...reach(breakServer(mock.respond, change)), ...options });
  return { ...diagnosis, mock };
};

/** Examines a mock of one collection of notes. */
export const examineNotes = async (
  notes: Collection,
  rows: readonly Readonly<Record<string, unknown>>[],
  change: Break = (seen, next) => next(seen),
  options: Partial<DiagnoseOptions> = {},
): Promise<Diagnosis & { readonly mock: Pick<Mock, 'respond' | 'requests'> }> => {
  const api = defineApi({ name: 'notes', version: 1, auth: 'token', collections: { notes } });
  // The rows fit the declaration of their test.
  const mock: Pick<Mock, 'respond' | 'requests'> = createMock(api, {
    users: [login],
    data: { notes: rows as never },
  });
  const diagnosis = await diagnose(api, { ...reach(breakServer(mock.respond, change)), ...options });
  return { ...diagnosis, mock };
};

export const findingOf = ({ findings }: Diagnosis, rule: string, where = 'notes') =>
  findings.find((finding) => finding.rule === rule && finding.where === where);
