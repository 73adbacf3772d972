import { metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  type ApiError,
  type ClientOptions,
  createClient,
  memoryStore,
  NotFoundError,
  tokenAuth,
  ValidationError,
} from 'restkin';
import { type OtelTraceOptions, otelTrace } from 'restkin/otel';
import { undiciFetch } from 'restkin/undici';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connect, failureOf, login, order, orderBody } from '../../support/basic-ordering.ts';
import { ordering } from '../../support/ordering.ts';
import { inOrder, json, record } from '../../support/recording-server.ts';
import { createTelemetry, startTelemetry, treeOf } from '../../support/telemetry.ts';
import { serveTokens, unauthorized } from '../../support/token-server.ts';

const telemetry = startTelemetry();
afterEach(() => telemetry.reset());
afterAll(() => telemetry.shutdown());

const tree = async (): Promise<readonly string[]> => treeOf(await telemetry.spans());

/** `last` pages of one order each, each after a moment. */
const servePages = (last: number) =>
  record(async ({ url, headers }) => {
    const number = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return json([order(number)], 200, {
      'x-pagination-page': String(number),
      'x-pagination-per-page': '1',
      'x-pagination-total-pages': String(last),
      'x-pagination-total-count': String(last),
      ...(number < last && { link: `<http://${headers.host}/v1/orders?page=${number + 1}>; rel="next"` }),
    });
  });

const fetches: Readonly<Record<string, Partial<ClientOptions>>> = {
  'the built-in fetch': {},
  'restkin/undici': { fetch: undiciFetch() },
};

describe.each(Object.entries(fetches))('the tree of spans over %s', (_name, given) => {
  const options = { ...given, trace: otelTrace(), retry: { baseDelayMs: 1 } };
  const loggingIn = (url: string) => {
    const auth = tokenAuth({ authUrl: url, ...login });
    return createClient({ baseUrl: url, auth, ...options }).api(ordering);
  };

  test('of a call, below the span of the application; traceparent of the attempt arrives at the server', async () => {
    await using server = await record(() => json(order(7)));
    const { orders } = connect(server.url, options);
    await trace.getTracer('app').startActiveSpan('request', async (span) => {
      await orders.get(7);
      span.end();
    });
    const spans = await telemetry.spans();
    expect(treeOf(spans)).toEqual(['request', '  GET /v1/orders/{id} 200', '    -> GET /v1/orders/7 200']);
    const attempt = spans.find(({ kind }) => kind === SpanKind.CLIENT)?.spanContext();
    expect(server.requests[0]?.headers.traceparent).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  test('of a 401 with its replay', async () => {
    await using server = await serveTokens({ api: () => json(order(7)) });
    const { orders } = loggingIn(server.url);
    await orders.get(7);
    server.expire();
    await telemetry.spans();
    telemetry.reset();
    await orders.get(7);
    expect(await tree()).toEqual([
      'GET /v1/orders/{id} 200',
      '  -> GET /v1/orders/7 401 !',
      '  POST /auth/token 200',
      '    -> POST /auth/token 200',
      '  -> GET /v1/orders/7 200',
    ]);
  });

  test('of a 503 that is retried', async () => {
    await using server = await record(inOrder({ status: 503 }, json(order(7))));
    await connect(server.url, options).orders.get(7);
    expect(await tree()).toEqual([
      'GET /v1/orders/{id} 200',
      '  -> GET /v1/orders/7 503 !',
      '  -> GET /v1/orders/7 200',
    ]);
    const [call] = (await telemetry.spans()).filter(({ kind }) => kind === SpanKind.INTERNAL);
    expect(call?.attributes['http.request.resend_count']).toBe(1);
  });

  test('of ten pages read ahead', async () => {
    await using server = await servePages(10);
    const { orders } = connect(server.url, options);
    await trace.getTracer('app').startActiveSpan('request', async (span) => {
      for await (const { id } of orders.list({ concurrency: 4 }))
        if (id === 5) await trace.getTracer('app').startActiveSpan('step', async (step) => step.end());
      span.end();
    });
    const lines = await tree();
    const isPage = (line: string): boolean => line === '    -> GET /v1/orders 200';
    expect(lines.filter((line) => !isPage(line))).toEqual(['request', '  GET /v1/orders 200', '  step']);
    expect(lines.filter(isPage)).toHaveLength(10);
    const list = (await telemetry.spans()).find(({ name }) => name === 'GET /v1/orders');
    expect(list?.attributes['restkin.pages']).toBe(10);
  });

  test('of an abort', async () => {
    await using server = await record(() => new Promise(() => undefined));
    const { orders } = connect(server.url, options);
    await expect(orders.get(7, { signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted');
    const spans = await telemetry.spans();
    expect(treeOf(spans)).toEqual(['GET /v1/orders/{id} !', '  -> GET /v1/orders/7']);
    const call = spans.find(({ kind }) => kind === SpanKind.INTERNAL);
    expect(call?.attributes['error.type']).toBe('TimeoutError');
    expect(call?.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test('of a renewal that twenty calls share', async () => {
    await using server = await serveTokens({ api: () => json(order(7)) });
    const { orders } = loggingIn(server.url);
    await Promise.all(Array.from({ length: 20 }, () => orders.get(7)));
    const call = ['GET /v1/orders/{id} 200', '  -> GET /v1/orders/7 200'];
    const [first = '', ...others] = call;
    expect(await tree()).toEqual([
      ...[first, '  POST /auth/token 200', '    -> POST /auth/token 200', ...others],
      ...Array.from({ length: 19 }, () => call).flat(),
    ]);
  });

  test('of a refresh that is refused, and of the login after it', async () => {
    const token = (form: URLSearchParams) => (form.has('refresh_token') ? unauthorized : undefined);
    await using server = await serveTokens({ api: () => json(order(7)), token });
    const { orders } = loggingIn(server.url);
    await orders.get(7);
    server.expire();
    await orders.get(7);
    const renewals = (await tree()).filter((line) => line.startsWith('  POST'));
    expect(renewals).toEqual([
      '  POST /auth/token 200',
      '  POST /auth/token 401 !',
      '  POST /auth/token 200',
    ]);
  });
});

/** A client whose spans are its own, without the instrumentation's. */
const alone = (url: string, given: OtelTraceOptions = {}, options: Partial<ClientOptions> = {}) => {
  const own = createTelemetry();
  const { tracerProvider, meterProvider } = own;
  const traced = otelTrace({ tracerProvider, meterProvider, ...given });
  return { ...own, ...connect(url, { trace: traced, ...options }) };
};

describe('attributes', () => {
  test.each([
    [{}, {}],
    [{ urlTemplate: true }, { 'url.template': '/v1/orders/{id}' }],
  ])('of a call with the options %j', async (given, added) => {
    await using server = await record(() => json(order(7)));
    const { orders, spans } = alone(server.url, given);
    await orders.get(7);
    const [span] = await spans();
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.url).port),
      'http.response.status_code': 200,
      'restkin.api': 'ordering',
      'restkin.collection': 'orders',
      ...added,
    });
  });

  test('of a request without a template: its path is in none', async () => {
    await using server = await record(() => json({}));
    const { client, spans } = alone(server.url, { urlTemplate: true });
    await client.request({ method: 'GET', path: 'v1/secret-report/7' });
    const [span] = await spans();
    expect(span?.name).toBe('GET');
    expect(JSON.stringify([span?.name, span?.attributes])).not.toContain('report');
  });

  test('the port of a URL without one', async () => {
    const fetch = async () => Response.json(order(7));
    const { orders, spans } = alone('https://api.example.com/shop', {}, { fetch });
    await orders.get(7);
    const [span] = await spans();
    expect(span?.attributes).toMatchObject({ 'server.address': 'api.example.com', 'server.port': 443 });
    expect(span?.name).toBe('GET /shop/v1/orders/{id}');
  });
});

describe('failures', () => {
  test('a find with 404 is none; another call has its code and its message', async () => {
    await using server = await record(() => json({ message: 'no' }, 404));
    const { orders, spans } = alone(server.url);
    expect(await orders.find(7)).toBeUndefined();
    const error = await failureOf<ApiError>(orders.get(7), NotFoundError);
    const [found, failed] = await spans();
    expect(found?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(found?.attributes['http.response.status_code']).toBe(404);
    expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR, message: error.message });
    expect(failed?.attributes).toMatchObject({ 'error.type': 'not_found', 'http.response.status_code': 404 });
  });

  test('a list that fails has its error, and the number of pages before it', async () => {
    await using server = await record(() => json({ errors: [{ field: 'a', code: 'invalid' }] }, 400));
    const { orders, spans } = alone(server.url);
    await failureOf(orders.list().toArray(), ValidationError);
    const [span] = await spans();
    expect(span?.attributes).toMatchObject({ 'error.type': 'validation_failed', 'restkin.pages': 0 });
  });

  test('a provider that throws fails no call', async () => {
    await using server = await servePages(2);
    const fail = () => {
      throw new Error('the provider');
    };
    const { tracerProvider, meterProvider } = createTelemetry();
    const given: readonly OtelTraceOptions[] = [
      { meterProvider, tracerProvider: { getTracer: () => ({ startSpan: fail, startActiveSpan: fail }) } },
      { tracerProvider, meterProvider: { getMeter: fail } },
    ];
    for (const options of given) {
      const { orders } = connect(server.url, { trace: otelTrace(options) });
      expect(await orders.list().toArray()).toHaveLength(2);
      expect((await orders.list()).items).toHaveLength(1);
    }
  });
});

describe('metrics', () => {
  test('the duration of calls, the renewals, and the time in pauses', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    const api = inOrder(json(order(7)), limited, json(order(7), 201), json(order(7)));
    await using server = await serveTokens({ api });
    const { tracerProvider, meterProvider, metrics: read } = createTelemetry();
    const options = { authUrl: server.url, ...login, store: memoryStore() };
    const given = { baseUrl: server.url, trace: otelTrace({ tracerProvider, meterProvider }) };
    const { orders } = createClient({ ...given, auth: tokenAuth(options) }).api(ordering);
    await orders.get(7);
    await orders.create(orderBody);
    // It reads the token of the first one from the store, which is no renewal.
    const second = createClient({ ...given, auth: tokenAuth(options) }).api(ordering);
    await second.orders.get(7);
    const points = await read();
    expect([...points.keys()].toSorted()).toEqual([
      'restkin.call.duration',
      'restkin.throttled.duration',
      'restkin.token.renewals',
    ]);
    expect(points.get('restkin.call.duration')?.map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({ 'http.request.method': 'GET', 'http.response.status_code': 200 }),
      expect.objectContaining({ 'http.request.method': 'POST', 'http.response.status_code': 201 }),
    ]);
    expect(points.get('restkin.token.renewals')?.map(({ value }) => value)).toEqual([1]);
    const [throttled] = points.get('restkin.throttled.duration') ?? [];
    expect(throttled?.value).toMatchObject({ count: 1, sum: expect.closeTo(1.1, 0) });
  });

  test('of the global provider, also one that is set after the client is made', async () => {
    await using server = await record(() => json(order(7)));
    const { orders } = connect(server.url, { trace: otelTrace() });
    const late = createTelemetry();
    metrics.setGlobalMeterProvider(late.meterProvider);
    try {
      await orders.get(7);
      expect([...(await late.metrics()).keys()]).toEqual(['restkin.call.duration']);
    } finally {
      metrics.disable();
    }
  });
});

test('without an SDK calls succeed', async () => {
  await using server = await servePages(2);
  trace.disable();
  try {
    const { orders } = connect(server.url, { trace: otelTrace() });
    expect(await orders.list().toArray()).toHaveLength(2);
    const names = (await telemetry.spans()).map(({ kind }) => kind);
    expect(names).not.toContain(SpanKind.INTERNAL);
  } finally {
    trace.setGlobalTracerProvider(telemetry.tracerProvider);
  }
});
