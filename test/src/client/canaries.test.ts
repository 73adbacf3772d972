import { basicAuth, createClient, customAuth, defineApi, isRestkinError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { order, orderBody } from '../../support/basic-ordering.ts';
import {
  accessToken,
  carried,
  forms,
  formsOf,
  leaksIn,
  password,
  refreshToken,
  username,
  watch,
} from '../../support/canaries.ts';
import { ordering } from '../../support/ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

type Kind = keyof typeof carried;
const kinds = Object.keys(carried) as Kind[];
const login = { username, password };
const api = defineApi({ ...ordering, auth: ['token', 'basic', 'custom'] });
const tokens: Reply = {
  body: JSON.stringify({
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: 600,
  }),
};

const connect = async (kind: Kind, answer: Reply | Responder, tokenAnswer: Reply = tokens) => {
  const server = await startRawServer((request, response) => {
    if (request.url === '/auth/token') return tokenAnswer;
    return typeof answer === 'function' ? answer(request, response) : answer;
  });
  const { seen, options } = watch();
  const auth = {
    token: tokenAuth({ authUrl: server.url, ...login }),
    basic: basicAuth(login),
    custom: customAuth(() => ({ 'x-api-key': accessToken })),
  }[kind];
  // A 429 that stays would be retried until the deadline.
  const isThrottled = typeof answer !== 'function' && answer.status === 429;
  const retry = isThrottled ? false : { attempts: 2, baseDelayMs: 1 };
  const client = createClient({ baseUrl: server.url, auth, ...options, retry });
  return { client, seen, server, ...client.api(api) };
};
const thrownBy = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );

/** An error body that says the text everywhere a body can say something (§2.3). */
const echo = (text: string) => ({
  message: `You sent ${text} to us`,
  errors: [
    { field: `a.${text}`, code: text, message: `not ${text}`, reference: `https://a.test/?x=${text}` },
  ],
});

describe.each(kinds)('a server that echoes what a client with %s sent', (kind) => {
  const echoes = [...new Set(carried[kind].flatMap(formsOf))];
  const headerEchoes = echoes.filter((text) => /^[\x20-\x7e]+$/.test(text));

  test.each(Object.entries(forms))('%s in an error body', async (_name, format) => {
    for (const text of carried[kind].map(format)) {
      for (const status of [400, 401, 403, 404, 413, 418, 429, 500, 503]) {
        const { orders, seen, server } = await connect(kind, { status, body: JSON.stringify(echo(text)) });
        const error = await thrownBy(orders.get(7));
        expect([isRestkinError(error), server.requests.length > 0]).toEqual([true, true]);
        expect({ status, text, error: leaksIn(error), seen: leaksIn(seen) }).toEqual({
          status,
          text,
          error: [],
          seen: [],
        });
      }
    }
  });

  test('with the escapes that JSON allows for every character', async () => {
    for (const secret of carried[kind]) {
      const escaped = Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const { orders, seen } = await connect(kind, {
        status: 400,
        body: `{"message":"${escaped.join('')}"}`,
      });
      const error = await thrownBy(orders.create(orderBody));
      expect(String(error)).toContain('BadRequestError');
      expect([leaksIn(error), leaksIn(seen)]).toEqual([[], []]);
    }
  });

  test.each([302, 404, 429])('in the header fields of a %d', async (status) => {
    for (const text of headerEchoes) {
      const names = ['retry-after', 'etag', 'warning', 'deprecation', 'sunset', 'x-pagination-page'];
      const headers = {
        ...Object.fromEntries(names.map((name) => [name, text])),
        'www-authenticate': `Bearer error="${text}"`,
        location: `/${text}`,
      };
      const { orders, seen } = await connect(kind, { status, headers });
      const error = await thrownBy(orders.get(7));
      expect([text, leaksIn(error), leaksIn(seen)]).toEqual([text, [], []]);
    }
  });

  test('in a body that does not fit the declaration', async () => {
    for (const text of echoes) {
      const bodies = [
        { ...order(7), id: text },
        { ...order(7), status: text },
        text,
        [text],
        { [text]: text },
      ];
      for (const body of bodies) {
        const { orders, seen } = await connect(kind, { body: JSON.stringify(body) });
        const error = await thrownBy(orders.get(7));
        expect([text, leaksIn(error), leaksIn(seen)]).toEqual([text, [], []]);
      }
    }
  });

  test('in a success: events show nothing of it', async () => {
    for (const text of headerEchoes) {
      const link = `</v2/?seen=${encodeURIComponent(text)}>; rel="successor-version"`;
      const headers = { deprecation: '@1688169599', link, etag: `"${text}"`, 'x-echo': text };
      const { orders, seen } = await connect(kind, {
        headers,
        body: JSON.stringify([{ ...order(7), note: text }]),
      });
      expect((await orders.list()).items[0]?.note).toBe(text);
      expect(seen.length).toBeGreaterThan(2);
      expect([text, leaksIn(seen)]).toEqual([text, []]);
    }
  });
});

describe('tokens and passwords that only the token endpoint knows', () => {
  const hidden = { password, refreshToken };

  test.each(Object.entries(hidden))('%s echoed by an API that shares its data', async (_name, secret) => {
    const { orders, seen } = await connect('token', { status: 400, body: JSON.stringify(echo(secret)) });
    const error = await thrownBy(orders.get(7));
    expect([leaksIn(error), leaksIn(seen)]).toEqual([[], []]);
  });

  test.each([400, 401, 403, 429, 500, 503])('echoed by the token endpoint with a %d', async (status) => {
    // A token that the client has never had is no secret that it knows.
    const text = formsOf(password).join(' ');
    const answer = {
      status,
      headers: { 'x-echo': encodeURIComponent(password) },
      body: JSON.stringify(echo(text)),
    };
    const { orders, seen, server } = await connect('token', {}, answer);
    const error = await thrownBy(orders.get(7));
    expect(server.requests.every(({ url }) => url === '/auth/token')).toBe(true);
    expect([leaksIn(error), leaksIn(seen)]).toEqual([[], []]);
  });

  test('the token that was refused, echoed after its renewal', async () => {
    let count = 0;
    const answer: Responder = ({ url, headers }) => {
      if (url === '/auth/token') return tokens;
      return headers.authorization === `Bearer ${accessToken}`
        ? { status: 401 }
        : { status: 400, body: JSON.stringify(echo(accessToken)) };
    };
    const server = await startRawServer((request, response) =>
      request.url === '/auth/token' && count++ > 0
        ? { body: JSON.stringify({ access_token: 'another-token', token_type: 'bearer', expires_in: 600 }) }
        : answer(request, response),
    );
    const auth = tokenAuth({ authUrl: server.url, ...login });
    const { orders } = createClient({ baseUrl: server.url, auth, retry: false }).api(api);
    const error = await thrownBy(orders.get(7));
    expect(server.requests).toHaveLength(4);
    expect(leaksIn(error)).toEqual([]);
  });
});

test('what is searched has events of a log and spans of calls, lists and renewals', async () => {
  const { orders, seen } = await connect('token', { body: JSON.stringify([order(7)]) });
  await orders.list();
  await thrownBy(orders.get(7));
  expect(seen).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'response', status: 200 }),
      ...['POST /auth/token', 'GET /v1/orders', 'GET /v1/orders/{id}'].map((name) =>
        expect.objectContaining({ name, attributes: expect.any(Object) }),
      ),
    ]),
  );
});
