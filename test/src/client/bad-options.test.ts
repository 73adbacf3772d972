import { basicAuth, type Client, createClient, customAuth, InvalidRequestError, tokenAuth } from 'restkin';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatBasic } from '../../../src/auth/basic.ts';
import { basicOrdering, connect, countingFetch, failureOf, login } from '../../support/basic-ordering.ts';
import { codePoint } from '../../support/code-point.ts';
import { ordering } from '../../support/ordering.ts';
import fc from '../../support/random.ts';

const create = (options: object) => (): Client =>
  createClient({ baseUrl: 'https://api.test', auth: basicAuth(login), ...options });

test.each([
  'https://ada:s3cret@api.test',
  'https://api.test/?key=s3cret',
  'https://api.test/#s3cret',
  's3cret',
])('the URL %s is refused, and is not in the message', (url) => {
  const clean = { message: expect.not.stringContaining('s3cret'), code: 'invalid_request' };
  const auth = tokenAuth({ authUrl: url, ...login });
  expect(create({ baseUrl: url })).toThrow(expect.objectContaining(clean));
  expect(create({ auth })).toThrow(expect.objectContaining(clean));
});

describe('credentials', () => {
  const ends = ['\r\n', '\n', '\0', '\x7f', '\x1f', '\ud800'].map((end) => `s3cret${end}`);
  test.each([...ends, '\udc00s3cret'])('%j is refused, and is not in the message', (text) => {
    const clean = { message: expect.not.stringContaining('s3cret'), code: 'invalid_request' };
    for (const credentials of [
      { ...login, username: text },
      { ...login, password: text },
    ]) {
      expect(() => basicAuth(credentials)).toThrow(expect.objectContaining(clean));
      expect(() => tokenAuth({ authUrl: 'https://auth.test', ...credentials })).toThrow(
        expect.objectContaining(clean),
      );
    }
  });

  test('a colon ends the username of Basic: refused there, fine in a token request', () => {
    const credentials = { username: 's3cret:x', password: 'p' };
    expect(() => basicAuth(credentials)).toThrow(InvalidRequestError);
    expect(() => basicAuth(credentials)).not.toThrow('s3cret');
    expect(() => tokenAuth({ authUrl: 'https://auth.test', ...credentials })).not.toThrow();
    expect(() => basicAuth({ username: 'a', password: 'b:c:' })).not.toThrow();
  });

  test.each([{ username: '' }, { username: undefined }, { password: undefined }, { password: 5 }])(
    'basicAuth refuses %o',
    (part) => {
      const credentials = { ...login, ...part } as unknown as typeof login;
      expect(() => basicAuth(credentials)).toThrow(InvalidRequestError);
    },
  );

  test('RFC 7617: the server decodes the same login', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids these
    const text = fc.string({ unit: codePoint }).filter((value) => !/[\0-\x1f\x7f]/.test(value));
    const name = text.filter((value) => value !== '' && !value.includes(':'));
    fc.assert(
      fc.property(name, text, (username, password) => {
        expect(() => basicAuth({ username, password })).not.toThrow();
        const [scheme, code = ''] = formatBasic({ username, password }).split(' ');
        const decoded = Buffer.from(code, 'base64').toString('utf8');
        const colon = decoded.indexOf(':');
        expect([scheme, decoded.slice(0, colon), decoded.slice(colon + 1)]).toEqual([
          'Basic',
          username,
          password,
        ]);
      }),
    );
  });
});

describe('options of a client', () => {
  test.each([
    ...[0, Number.NaN].map((timeoutMs) => ({ timeoutMs })),
    { deadlineMs: -1 },
    { retry: { attempts: 0 } },
    { retry: { maxDelayMs: -1 } },
    { concurrency: 0 },
    { concurrency: 1.5 },
    { maxResponseBytes: '1' },
    { headers: { authorization: 'x' } },
    { headers: { 'Content-Type': 'application/json' } },
    { requestIdHeader: 'X Trace' },
    { auth: undefined },
    { auth: {} },
    { auth: 'token' },
    { auth: { token: null } },
    { baseURL: 'https://api.test' },
    { retries: 3 },
    { on: { error: 'log' } },
    ...[null, 5, {}, 'fetch'].map((fetch) => ({ fetch })),
    ...['console', () => undefined].map((logger) => ({ logger })),
    { validation: 'none' },
  ])('createClient refuses %o, and names the option', (options) => {
    expect(create(options)).toThrow(InvalidRequestError);
    expect(create(options)).toThrow(Object.keys(options)[0]);
  });

  test('an API whose scheme the client lacks is refused', () => {
    expect(() => create({})().api(ordering)).toThrow(InvalidRequestError);
    expect(() => create({})().api(ordering)).toThrow('token');
    expect(() => create({ auth: { legacy: basicAuth(login) } })().api(basicOrdering)).toThrow(
      InvalidRequestError,
    );
    expect(() => create({})().api(basicOrdering)).not.toThrow();
  });
});

describe('customAuth', () => {
  test('invalid headers are refused before anything is sent', async () => {
    const { fetch, urls } = countingFetch();
    const auth = { basic: customAuth(() => ({ 'x-key': 's3cret\r\n' })) };
    const { orders } = connect('https://api.test', { fetch, auth });
    const error = await failureOf(orders.get(7), InvalidRequestError);
    expect(error.message).not.toContain('s3cret');
    expect(urls).toEqual([]);
  });
});

describe('tokenAuth', () => {
  test.each([
    [{ credentials: login }, 'credentials must be a function'],
    [{ ...login, tokens: { accessToken: 'a' } }, 'tokenAuth takes one of password, credentials and tokens'],
    [{ ...login, store: {} }, 'store must be a store with the functions read and swap'],
    [{ ...login, store: Promise.resolve({}) }, 'store must be a store with the functions read and swap'],
    [{ ...login, store: new Map() }, 'store must be a store with the functions read and swap'],
  ])('%o is refused', (options, message) => {
    const create = () => tokenAuth({ authUrl: 'https://auth.test', ...options } as never);
    expect(create).toThrow(InvalidRequestError);
    expect(create).toThrow(message);
  });
});

test('a runtime without what restkin needs is refused by createClient, which names the version', () => {
  const { withResolvers } = Promise;
  onTestFinished(() => {
    Promise.withResolvers = withResolvers;
  });
  Reflect.deleteProperty(Promise, 'withResolvers');
  expect(create({})).toThrow(InvalidRequestError);
  expect(create({})).toThrow('restkin needs Node 22.13 or newer');
});
