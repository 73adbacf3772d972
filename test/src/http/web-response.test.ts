import { type Fetch, NotFoundError } from 'restkin';
import { describe, expect, test } from 'vitest';
import { connect, failureOf } from '../../support/basic-ordering.ts';

const get = { method: 'GET', path: 'x', as: 'response' } as const;
type Given = Awaited<ReturnType<Fetch>>;

/** What the caller of `as: 'response'` gets from a `fetch` that gives this. */
const receive = (given: Given): Promise<Response> =>
  connect('https://api.test', { fetch: async () => given }).client.request(get);

const read = {
  text: async () => '{"a":1}',
  arrayBuffer: async () => new TextEncoder().encode('{"a":1}').buffer,
};
const headers = new Headers({ 'content-type': 'application/json', 'x-of': 'the server' });

describe('as: response is a web Response, whatever fetch was given', () => {
  test.each<[string, () => Given]>([
    ['without a stream', () => ({ status: 201, headers, ...read })],
    ['with a stream', () => ({ status: 201, headers, body: new Blob(['{"a":', '1}']).stream(), ...read })],
    [
      'with a stream of another realm',
      () => {
        const stream = new Blob(['{"a":1}']).stream();
        const body = { getReader: () => stream.getReader() } as typeof stream;
        return { status: 201, headers, body, ...read };
      },
    ],
    [
      'with the methods of a Response over another stream',
      () => ({ status: 201, headers, body: {} as ReadableStream, clone: () => undefined, ...read }) as Given,
    ],
  ])('%s', async (_what, create) => {
    const response = await receive(create());
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.url]).toEqual([201, true, 'https://api.test/x']);
    expect(response.headers.get('x-of')).toBe('the server');
    expect(response.bodyUsed).toBe(false);
    const copy = response.clone();
    expect(await response.json()).toEqual({ a: 1 });
    expect(await copy.text()).toBe('{"a":1}');
  });

  test.each([204, 205])('%d has no body, whatever the library says', async (status) => {
    const response = await receive({ status, headers, body: new Blob(['x']).stream(), ...read });
    expect([response.status, response.body, await response.text()]).toEqual([status, null, '']);
  });

  test('a Response stays as it is', async () => {
    const given = Response.json({ a: 1 });
    expect(await receive(given)).toBe(given);
  });

  test('nothing is read before the caller reads, and cancelling reaches the stream of the library', async () => {
    const seen: string[] = [];
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { pull: () => void seen.push('pull'), cancel: (reason) => void seen.push(`cancel ${reason}`) },
      { highWaterMark: 0 },
    );
    const response = await receive({ status: 200, headers, body, ...read });
    expect(seen).toEqual([]);
    await response.body?.cancel('enough');
    expect(seen).toEqual(['cancel enough']);
  });

  test('its reason phrase is that of the server, unless no Response can have it', async () => {
    expect((await receive({ status: 200, statusText: 'Fine', headers, ...read })).statusText).toBe('Fine');
    expect((await receive({ status: 200, statusText: 'a\nb', headers, ...read })).statusText).toBe('');
  });

  test('an error is read as one', async () => {
    const call = receive({ status: 404, headers, ...read });
    await failureOf(call, NotFoundError);
  });
});
