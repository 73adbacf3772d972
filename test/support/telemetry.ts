import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

const startOf = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e9 + nanos;

/** Name or path, status, and `!` for an error; `->` in front of a span of the runtime's instrumentation. */
const show = ({ name, kind, attributes, status }: ReadableSpan): string => {
  const isClient = kind === SpanKind.CLIENT;
  const shown = isClient ? `-> ${name} ${String(attributes['url.path'])}` : name;
  const failed = status.code === SpanStatusCode.ERROR ? '!' : undefined;
  return [shown, attributes['http.response.status_code'], failed]
    .filter((part) => part !== undefined)
    .join(' ');
};

/** A tree of spans as indented lines, in the order of their starts. */
export const treeOf = (spans: readonly ReadableSpan[]): readonly string[] => {
  const sorted = spans.toSorted((a, b) => startOf(a) - startOf(b));
  const known = new Set(sorted.map((span) => span.spanContext().spanId));
  const below = (parent: string | undefined, indent: string): string[] =>
    sorted
      .filter(({ parentSpanContext }) => {
        const id = parentSpanContext?.spanId;
        return parent === undefined ? id === undefined || !known.has(id) : id === parent;
      })
      .flatMap((span) => [indent + show(span), ...below(span.spanContext().spanId, `${indent}  `)]);
  return below(undefined, '');
};

/** Providers that keep spans and metrics in memory. */
export const createTelemetry = () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1e8 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    tracerProvider,
    meterProvider,
    /** The spans that have ended. */
    spans: async (): Promise<readonly ReadableSpan[]> => {
      await tracerProvider.forceFlush();
      return exporter.getFinishedSpans();
    },
    reset: () => exporter.reset(),
    /** The data points of each metric, by its name. */
    metrics: async () => {
      await reader.forceFlush();
      const all =
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      return new Map(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
    },
    shutdown: async () => {
      await tracerProvider.shutdown();
      await meterProvider.shutdown();
    },
  };
};

/** The same, registered in this process, with the instrumentation of `fetch` and undici. */
export const startTelemetry = () => {
  const telemetry = createTelemetry();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(telemetry.tracerProvider);
  const instrumentation = new UndiciInstrumentation();
  instrumentation.setTracerProvider(telemetry.tracerProvider);
  instrumentation.enable();
  return {
    ...telemetry,
    shutdown: async () => {
      instrumentation.disable();
      await telemetry.shutdown();
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
};
