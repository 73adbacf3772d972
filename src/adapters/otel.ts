/**
 * Spans and metrics of OpenTelemetry. Needs @opentelemetry/api.
 *
 * @module restkin/otel
 */

import {
  type Attributes,
  type Counter,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { isRestkinError } from '../errors/restkin-error.ts';
import type { Trace, TracedOperation } from '../index.ts';
import { checkBoolean, checkOf, createReader, isObject } from '../options.ts';

/** Options of {@link otelTrace}. */
export interface OtelTraceOptions {
  /** Makes the spans; the global provider by default. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Makes the metrics; the global provider by default, as it is at the first operation. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Adds `url.template` to spans and metrics, which the semantic conventions leave to the application; false
   * by default.
   */
  readonly urlTemplate?: boolean | undefined;
}

const hasFunction =
  (name: string) =>
  (value: unknown): boolean =>
    isObject(value) && typeof value[name] === 'function';

const readOptions = createReader<OtelTraceOptions>({
  tracerProvider: checkOf(hasFunction('getTracer'), 'a TracerProvider of OpenTelemetry'),
  meterProvider: checkOf(hasFunction('getMeter'), 'a MeterProvider of OpenTelemetry'),
  urlTemplate: checkBoolean,
});

/** A short name of a failure. An error that is not of restkin may hold a secret anywhere else. */
const typeOf = (error: unknown): string => {
  if (isRestkinError(error)) return error.code;
  const { name } = (error ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : '_OTHER';
};

/** With the path of the base URL. */
const templateOf = ({ baseUrl, template }: TracedOperation): string | undefined =>
  template && new URL(baseUrl).pathname.replace(/\/$/, '') + template;

/** The attributes that are known at the start, by the semantic conventions for HTTP clients. */
const attributesOf = (operation: TracedOperation, urlTemplate: boolean): Attributes => {
  const { method, baseUrl, api, collection } = operation;
  const { protocol, hostname, port } = new URL(baseUrl);
  const template = templateOf(operation);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(urlTemplate && template !== undefined && { 'url.template': template }),
    ...(api !== undefined && { 'restkin.api': api }),
    ...(collection !== undefined && { 'restkin.collection': collection }),
  };
};

/** In seconds, as for `http.client.request.duration`. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

interface Instruments {
  readonly calls: Histogram;
  readonly throttled: Histogram;
  readonly renewals: Counter;
}

const createInstruments = (provider: MeterProvider): Instruments => {
  const meter = provider.getMeter('restkin');
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: boundaries } };
  return {
    calls: meter.createHistogram('restkin.call.duration', {
      ...seconds,
      description: 'Duration of calls, with all attempts and waits',
    }),
    throttled: meter.createHistogram('restkin.throttled.duration', {
      ...seconds,
      description: 'How long calls and lists waited because of a 429',
    }),
    renewals: meter.createCounter('restkin.token.renewals', {
      unit: '{renewal}',
      description: 'Renewals of access tokens',
    }),
  };
};

/**
 * The `trace` of a client that makes one INTERNAL span for each call, list and renewal, which is active while
 * it runs: the spans of an instrumentation of `fetch`, one for each attempt, are its children. A span is
 * named by the method and the path template, such as `GET /v1/orders/{id}`.
 *
 * The metrics are `restkin.call.duration` (calls, not lists: a list waits for its reader),
 * `restkin.throttled.duration` and `restkin.token.renewals`.
 *
 * @example
 * ```ts
 * import { createClient } from 'restkin';
 * import { otelTrace } from 'restkin/otel';
 *
 * const client = createClient({ baseUrl, auth, trace: otelTrace() });
 * ```
 */
export const otelTrace = (options: OtelTraceOptions = {}): Trace => {
  const { tracerProvider = trace, meterProvider, urlTemplate = false } = readOptions(options, 'otelTrace');
  const tracer = tracerProvider.getTracer('restkin');
  let instruments: Instruments | undefined;

  const measure = ({ kind, throttledMs }: TracedOperation, start: number, attributes: Attributes): void => {
    // Created late, because the global provider may be set after the client is made.
    instruments ??= createInstruments(meterProvider ?? metrics.getMeterProvider());
    if (kind === 'renewal') instruments.renewals.add(1, attributes);
    if (kind === 'call') instruments.calls.record((performance.now() - start) / 1_000, attributes);
    if (throttledMs > 0) instruments.throttled.record(throttledMs / 1_000, attributes);
  };

  return (operation, run) => {
    const { kind, method } = operation;
    const template = templateOf(operation);
    const attributes = attributesOf(operation, urlTemplate);
    const name = template === undefined ? method : `${method} ${template}`;
    const start = performance.now();
    const end = (span: Span, failure: Attributes): void => {
      const { status, attempts, pages } = operation;
      const result = { ...(status !== undefined && { 'http.response.status_code': status }), ...failure };
      span.setAttributes({
        ...result,
        ...(kind === 'call' && attempts > 1 && { 'http.request.resend_count': attempts - 1 }),
        ...(kind === 'list' && { 'restkin.pages': pages }),
      });
      span.end();
      measure(operation, start, { ...attributes, ...result });
    };
    return tracer.startActiveSpan(name, { kind: SpanKind.INTERNAL, attributes }, (span) =>
      run().then(
        () => end(span, {}),
        (error: unknown) => {
          const message = isRestkinError(error) ? { message: error.message } : {};
          span.setStatus({ code: SpanStatusCode.ERROR, ...message });
          end(span, { 'error.type': typeOf(error) });
        },
      ),
    );
  };
};
