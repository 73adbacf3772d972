import { basicAuth, createClient, customAuth, defineApi, isRestkinError, tokenAuth } from 'restkin';
import { describe, expect, test } from 'vitest';
import { order } from '../../support/basic-ordering.ts';
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

const connect = async (kind: Kind, answer: Reply | Responder, toToken = (): Reply => tokens) => {
  const server = await startRawServer((request, response) => {
    if (request.url === '/auth/token') return toToken();
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

/** What a call that fails shows of the canaries, in its error and in the events, the log and the spans. */
const leaksOf = async (kind: Kind, answer: Reply, tokenAnswer?: Reply): Promise<readonly string[]> => {
  const { orders, seen } = await connect(kind, answer, () => tokenAnswer ?? tokens);
  const error = await thrownBy(orders.get(7));
  expect(isRestkinError(error)).toBe(true);
  return [...leaksIn(error), ...leaksIn(seen)];
};

describe.each(kinds)('a server that echoes what a client with %s sent', (kind) => {
  const echoes = [...new Set(carried[kind].flatMap(formsOf))];
  const headerEchoes = echoes.filter((text) => /^[\x20-\x7e]+$/.test(text));

  test.each(Object.entries(forms))('%s in an error body', async (_name, format) => {
    for (const text of carried[kind].map(format)) {
      for (const status of [400, 401, 403, 404, 413, 418, 429, 500, 503]) {
        const leaks = await leaksOf(kind, { status, body: JSON.stringify(echo(text)) });
        expect({ status, text, leaks }).toEqual({ status, text, leaks: [] });
      }
    }
  });

  test('with the escapes that JSON allows for every character', async () => {
    for (const secret of carried[kind]) {
      const escaped = Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
      expect(await leaksOf(kind, { status: 400, body: `{"message":"${escaped.join('')}"}` })).toEqual([]);
    }
  });

  test.each([302, 403, 404, 429])('in the header fields of a %d', async (status) => {
    const names = ['retry-after', 'etag', 'warning', 'deprecation', 'sunset', 'x-pagination-page'];
    for (const text of headerEchoes) {
      const headers = {
        ...Object.fromEntries(names.map((name) => [name, text])),
        'www-authenticate': `Bearer error="${text}", scope="${text}"`,
        location: `/${text}`,
      };
      expect([text, await leaksOf(kind, { status, headers })]).toEqual([text, []]);
    }
  });

  test('in a body that does not fit the declaration', async () => {
    for (const text of echoes) {
      const one = order(7);
      const bodies = [{ ...one, id: text }, { ...one, status: text }, text, [text], { [text]: text }];
      for (const body of bodies)
        expect([text, await leaksOf(kind, { body: JSON.stringify(body) })]).toEqual([text, []]);
    }
  });

  test('in a success: events show nothing of it', async () => {
    for (const text of headerEchoes) {
      const link = `</v2/?seen=${encodeURIComponent(text)}>; rel="successor-version"`;
      const headers = { deprecation: '@1688169599', link, etag: `"${text}"`, 'x-echo': text };
      const body = JSON.stringify([{ ...order(7), note: text }]);
      const { orders, seen } = await connect(kind, { headers, body });
      expect((await orders.list()).items[0]?.note).toBe(text);
      expect(seen.length).toBeGreaterThan(2);
      expect([text, leaksIn(seen)]).toEqual([text, []]);
    }
  });
});

describe('tokens and passwords that only the token endpoint knows', () => {
  test.each([password, refreshToken])('%s echoed by an API that shares its data', async (secret) => {
    expect(await leaksOf('token', { status: 400, body: JSON.stringify(echo(secret)) })).toEqual([]);
  });

  test.each([400, 401, 403, 429, 500, 503])('echoed by the token endpoint with a %d', async (status) => {
    // A token that the client has never had is no secret that it knows.
    const body = JSON.stringify(echo(formsOf(password).join(' ')));
    const headers = { 'x-echo': encodeURIComponent(password) };
    expect(await leaksOf('token', {}, { status, headers, body })).toEqual([]);
  });

  test('the token that was refused, echoed after its renewal', async () => {
    const another = JSON.stringify({ access_token: 'another-token', token_type: 'bearer', expires_in: 600 });
    let count = 0;
    const { server, orders } = await connect(
      'token',
      ({ headers }) =>
        headers.authorization === `Bearer ${accessToken}`
          ? { status: 401 }
          : { status: 400, body: JSON.stringify(echo(accessToken)) },
      () => (count++ === 0 ? tokens : { body: another }),
    );
    expect(leaksIn(await thrownBy(orders.get(7)))).toEqual([]);
    expect(server.requests).toHaveLength(4);
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
