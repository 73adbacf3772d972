/**
 * Spans and metrics of OpenTelemetry. Needs @opentelemetry/api.
 *
 * @module restkin/otel
 */

import {
  type Attributes,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { isRestkinError, type RequestError } from '../errors/restkin-error.ts';
import type { Trace, TracedOperation, TracedOutcome } from '../index.ts';

/** Options of {@link otelTrace}. */
export interface OtelTraceOptions {
  /** Makes the spans; the global provider by default. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Makes the metrics; the global provider by default, as it is at the first operation. */
  readonly meterProvider?: MeterProvider | undefined;
  /** Adds `url.template` to spans and metrics, which the semantic conventions leave to the application; false by default. */
  readonly urlTemplate?: boolean | undefined;
}

/** What came of an operation, whether it succeeded or not. */
interface Ended extends Partial<TracedOutcome> {
  /** A short name of the failure; undefined for a success. */
  readonly type?: string;
  readonly message?: string;
}

/** Of an error that is not of restkin only the name: its message may hold a secret. */
const toEnded = (error: unknown): Ended => {
  if (!isRestkinError(error)) {
    const { name } = (error ?? {}) as { readonly name?: unknown };
    return { type: typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : '_OTHER' };
  }
  const { status, attempts = [] } = error as Partial<RequestError> & { readonly status?: number };
  const waits = attempts.map((one) => (one.throttledMs ?? 0) + (one.status === 429 ? one.waitedMs : 0));
  return {
    ...{ type: error.code, message: error.message, status, resends: attempts.length - 1 },
    throttledMs: waits.reduce((sum, wait) => sum + wait, 0),
  };
};

/** The attributes that are known at the start, by the semantic conventions for HTTP clients. */
const attributesOf = (operation: TracedOperation, urlTemplate: boolean): Attributes => {
  const { method, baseUrl, template, api, collection } = operation;
  const { protocol, hostname, port } = new URL(baseUrl);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(urlTemplate && template !== undefined && { 'url.template': template }),
    ...(api !== undefined && { 'restkin.api': api }),
    ...(collection !== undefined && { 'restkin.collection': collection }),
  };
};

const endSpan = (span: Span, { resends = 0, pages, type, message }: Ended, result: Attributes): void => {
  span.setAttributes({
    ...result,
    ...(resends > 0 && { 'http.request.resend_count': resends }),
    ...(pages !== undefined && { 'restkin.pages': pages }),
  });
  if (type !== undefined)
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
  span.end();
};

/** In seconds, as for `http.client.request.duration`. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const createInstruments = (provider: MeterProvider) => {
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
 * The `trace` of a client that makes one INTERNAL span for each call, list and renewal, which is active while it runs: the spans
 * of an instrumentation of `fetch`, one for each attempt, are its children. A span is named by the method and the path
 * template, such as `GET /v1/orders/{id}`.
 *
 * The metrics are `restkin.call.duration` (calls, not lists: a list waits for its reader), `restkin.throttled.duration` and
 * `restkin.token.renewals`.
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
  const { tracerProvider = trace, meterProvider, urlTemplate = false } = options;
  const tracer = tracerProvider.getTracer('restkin');
  let instruments: ReturnType<typeof createInstruments> | undefined;

  const measure = ({ kind }: TracedOperation, start: number, ended: Ended, attributes: Attributes): void => {
    // Created late, because the global provider may be set after the client is made.
    instruments ??= createInstruments(meterProvider ?? metrics.getMeterProvider());
    const { throttledMs = 0 } = ended;
    if (kind === 'renewal') instruments.renewals.add(1, attributes);
    if (kind === 'call') instruments.calls.record((performance.now() - start) / 1_000, attributes);
    if (throttledMs > 0) instruments.throttled.record(throttledMs / 1_000, attributes);
  };

  return (operation, run) => {
    const { method, template } = operation;
    const attributes = attributesOf(operation, urlTemplate);
    const name = template === undefined ? method : `${method} ${template}`;
    const start = performance.now();
    return tracer.startActiveSpan(name, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
      const ended = await run().catch(toEnded);
      const { status, type } = ended as Ended;
      const result = {
        ...(status !== undefined && { 'http.response.status_code': status }),
        ...(type !== undefined && { 'error.type': type }),
      };
      endSpan(span, ended, result);
      measure(operation, start, ended, { ...attributes, ...result });
    });
  };
};
