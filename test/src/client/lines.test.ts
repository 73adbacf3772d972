import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  ConnectionError,
  InvalidRequestError,
  type LinesRequest,
  NotFoundError,
  ResponseTooLargeError,
  UnexpectedResponseError,
} from 'restkin';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect, failureOf } from '../../support/basic-ordering.ts';
import { type Reply, type Responder, startRawServer } from '../../support/raw-server.ts';

const path = 'v1/export';
const ndjson = { 'content-type': 'application/x-ndjson' };
const Row = z.object({ id: z.int() });

const serve = async (reply: Reply | Responder, options: Parameters<typeof connect>[1] = {}) => {
  const server = await startRawServer(typeof reply === 'function' ? reply : () => reply);
  return { server, ...connect(server.url, options) };
};

const collect = async <T>(lines: AsyncIterable<T>): Promise<T[]> => {
  const values: T[] = [];
  for await (const value of lines) values.push(value);
  return values;
};

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('lines', () => {
  test('are checked and typed by the schema, one by one', async () => {
    const { client, server } = await serve({
      headers: ndjson,
      body: lines({ id: 1 }, { id: 2, more: true }),
    });
    const ids: number[] = [];
    for await (const row of client.lines({ path, schema: Row, query: { since: 5 } })) ids.push(row.id);
    expect(ids).toEqual([1, 2]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/export?since=5' });
    expect(server.requests[0]?.headers.accept).toContain('application/x-ndjson');
  });

  test('arrive while the response is on its way, and leaving the loop closes the connection', async () => {
    let answer: (response: ServerResponse) => void = () => undefined;
    const arrived = new Promise<ServerResponse>((resolve) => {
      answer = resolve;
    });
    const { client } = await serve((_request, response) => {
      response.writeHead(200, ndjson).write(lines({ id: 1 }));
      answer(response);
      return undefined;
    });
    const closed = arrived.then((response) => once(response, 'close'));
    for await (const row of client.lines({ path, schema: Row })) {
      expect(row).toEqual({ id: 1 });
      break;
    }
    await closed;
  });

  test('may be blank, end with CRLF, lack the last end, begin with a byte order mark', async () => {
    const { client } = await serve({ headers: ndjson, body: '\ufeff{"id":1}\r\n\n  \r\n{"id":2}' });
    expect(await collect(client.lines({ path }))).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('of an empty response are none', async () => {
    const { client } = await serve({ status: 204 });
    expect(await collect(client.lines({ path }))).toEqual([]);
  });

  test('are the same however the body is cut', async () => {
    const body = Buffer.from(lines({ id: 1, name: 'Zoë 😀' }, {}, { id: 3 }));
    const fetchOf = (parts: readonly Uint8Array[]) => async () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
        { headers: ndjson },
      );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(body.length), { maxLength: 5 }), async (places) => {
        const cuts = [0, ...places.toSorted((a, b) => a - b), body.length];
        const parts = cuts.slice(1).map((end, index) => body.subarray(cuts[index], end));
        const { client } = connect('https://api.test', { fetch: fetchOf(parts) });
        expect(await collect(client.lines({ path }))).toEqual([{ id: 1, name: 'Zoë 😀' }, {}, { id: 3 }]);
      }),
    );
  });

  test('may come from a POST', async () => {
    const { client, server } = await serve({ headers: ndjson, body: '{}' });
    await collect(client.lines({ method: 'POST', path, body: { ids: [1] } }));
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '{"ids":[1]}' });
  });

  test('are requested anew by each loop', async () => {
    const { client, server } = await serve({ headers: ndjson, body: '{}' });
    const both = client.lines({ path });
    expect([await collect(both), await collect(both), server.requests.length]).toEqual([[{}], [{}], 2]);
  });
});

describe('a line that is wrong', () => {
  const bad = async (body: string, schema?: z.ZodType) => {
    const events: unknown[] = [];
    const { client } = await serve(
      { headers: ndjson, body },
      { on: { error: ({ error }) => events.push(error) } },
    );
    const seen: unknown[] = [];
    const error = await failureOf(
      (async () => {
        for await (const row of client.lines({ path, ...(schema && { schema }) })) seen.push(row);
      })(),
      UnexpectedResponseError,
    );
    expect(events).toEqual([error]);
    return { error, seen };
  };

  test('is an UnexpectedResponseError with its number, after those before it', async () => {
    const { error, seen } = await bad(`${lines({ id: 1 })}\n${lines({ id: 'x' }, { id: 3 })}`, Row);
    expect(seen).toEqual([{ id: 1 }]);
    expect(error).toMatchObject({ line: 3, status: 200, issues: [{ path: 'id' }] });
    expect(error.message).toContain('line 3: the response does not match the declaration at `id`');
  });

  test('is no JSON', async () => {
    const { error } = await bad('{}\n{"id":');
    expect(error).toMatchObject({ line: 2, body: '{"id":' });
    expect(error.message).toContain('line 2: it is not JSON');
  });

  test('validation: warn gives it as it came', async () => {
    const events: unknown[] = [];
    const { client } = await serve(
      { headers: ndjson, body: lines({ id: 'x' }) },
      {
        validation: 'warn',
        on: { validation: ({ issues }) => events.push(issues) },
      },
    );
    expect(await collect(client.lines({ path, schema: Row }))).toEqual([{ id: 'x' }]);
    expect(events).toHaveLength(1);
  });
});

describe('the length of a line', () => {
  test('is bounded by maxLineLength, in one piece and in many', async () => {
    const { client } = await serve({ headers: ndjson, body: `${lines({}, 'x'.repeat(98))}` });
    expect(await collect(client.lines({ path, maxLineLength: 100 }))).toHaveLength(2);
    const error = await failureOf(collect(client.lines({ path, maxLineLength: 99 })), ResponseTooLargeError);
    expect(error).toMatchObject({ line: 2, status: 200 });
  });

  test.each<[string, readonly string[]]>([
    ['in one piece', ['123\r\n4\r\n']],
    ['that is cut before it', ['123', '\r\n4\r\n']],
    ['that is cut inside', ['123\r', '\n4\r\n']],
    ['and no end of the last line', ['123\r\n4']],
  ])('does not count a line end of CRLF %s', async (_name, parts) => {
    const fetch = async () => {
      const body = new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
          controller.close();
        },
      });
      return new Response(body, { headers: ndjson });
    };
    const { client } = connect('https://api.test', { fetch });
    expect(await collect(client.lines({ path, maxLineLength: 3 }))).toEqual([123, 4]);
    const error = await failureOf(collect(client.lines({ path, maxLineLength: 2 })), ResponseTooLargeError);
    expect(error).toMatchObject({ line: 1, attempts: [{ status: 200 }] });
  });

  test('is bounded by maxResponseBytes otherwise: a bomb ends', async () => {
    const headers = { ...ndjson, 'content-encoding': 'gzip' };
    const { client } = await serve(
      { headers, body: gzipSync(Buffer.alloc(40_000_000, 0x20)) },
      { maxResponseBytes: 1_000 },
    );
    await failureOf(collect(client.lines({ path })), ResponseTooLargeError);
  });

  test('is the bound, not that of all lines', async () => {
    const { client } = await serve(
      { headers: ndjson, body: lines(...Array(100).fill('0123456789')) },
      { maxResponseBytes: 20 },
    );
    expect(await collect(client.lines({ path }))).toHaveLength(100);
  });
});

describe('leaving', () => {
  const done = { done: true, value: undefined };

  /** Lines of a response that hangs after some bytes, the end of its connection, and what is reported. */
  const hang = async (begin: (response: ServerResponse) => void) => {
    const events: unknown[] = [];
    let onRequest: (response: ServerResponse) => void = () => undefined;
    const requested = new Promise<ServerResponse>((resolve) => {
      onRequest = resolve;
    });
    const { client } = await serve(
      (_request, response) => {
        begin(response);
        onRequest(response);
        return undefined;
      },
      { on: { error: ({ error }) => events.push(error) } },
    );
    const closed = requested.then((response) => once(response, 'close'));
    return { client, events, requested, closed };
  };

  test.each([
    ['', {}],
    [' of a call with a signal', { signal: new AbortController().signal }],
  ])('before the response%s closes the connection and ends what waits', async (_name, options) => {
    const { client, events, requested, closed } = await hang(() => undefined);
    const iterator = client.lines({ path, ...options })[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await requested;
    expect(await iterator.return?.()).toEqual(done);
    expect(await waiting).toEqual(done);
    expect(await iterator.next()).toEqual(done);
    await closed;
    expect(events).toEqual([]);
  });

  test('in the middle of a line gives no part of it', async () => {
    const { client, events, closed } = await hang((response) =>
      response.writeHead(200, ndjson).write('1\n12'),
    );
    const iterator = client.lines({ path })[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual(done);
    expect(await waiting).toEqual(done);
    await closed;
    expect(events).toEqual([]);
  });

  test('does not stop the signal of the call from ending the request', async () => {
    const { client, requested, closed } = await hang(() => undefined);
    const controller = new AbortController();
    const waiting = client.lines({ path, signal: controller.signal })[Symbol.asyncIterator]().next();
    await requested;
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    await closed;
  });
});

describe('failures', () => {
  test('a cut is a ConnectionError after the lines before it, reported once', async () => {
    const events: unknown[] = [];
    const { client } = await serve(
      (_request, response) => {
        response.writeHead(200, ndjson);
        response.write(`${lines({ id: 1 })}{"id":`, () => setTimeout(() => response.destroy(), 5));
        return undefined;
      },
      { on: { error: ({ error }) => events.push(error) } },
    );
    const iterator = client.lines({ path })[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { id: 1 } });
    const error = await failureOf(iterator.next(), ConnectionError);
    expect(error.receivedBytes).toBe(15);
    expect(events).toEqual([error]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('an error status is the usual error', async () => {
    const { client } = await serve({ status: 404, body: '{}' });
    await failureOf(collect(client.lines({ path })), NotFoundError);
  });

  test.each<[string, object]>([
    ['an unknown option', { as: 'text' }],
    ['no path', { path: undefined }],
    ['a length that is none', { maxLineLength: 0 }],
  ])('%s is refused before sending', async (_name, options) => {
    const { client, server } = await serve({ body: '{}' });
    await failureOf(collect(client.lines({ path, ...options } as LinesRequest)), InvalidRequestError);
    expect(server.requests).toEqual([]);
  });

  test('nothing is sent by a loop that never begins', async () => {
    const { client, server } = await serve({ body: '{}' });
    await client.lines({ path })[Symbol.asyncIterator]().return?.();
    expect(server.requests).toEqual([]);
  });
});
