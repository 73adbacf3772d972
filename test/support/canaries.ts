import { inspect } from 'node:util';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Observers, Trace } from 'restkin';
import { otelTrace } from 'restkin/otel';

export const username = 'ada+canary';
export const password = 'p4ss"word\\/+&= ü';
export const accessToken = 'access-canary/AbC+123.payload.signature==';
export const refreshToken = 'refresh-canary/XyZ+456.payload.signature==';
export const basic = Buffer.from(`${username}:${password}`).toString('base64');

/** The ways in which a secret may stand in a text. */
export const forms: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  'URL-encoded': encodeURIComponent,
  'form-encoded': (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'escaped for JSON': (secret) => JSON.stringify(secret).slice(1, -1),
};
export const formsOf = (secret: string): readonly string[] =>
  Object.values(forms).map((format) => format(secret));
export const carried = { token: [accessToken], basic: [password, basic], custom: [accessToken] } as const;
export const canaries = [password, accessToken, refreshToken, basic].flatMap(formsOf);

export const textsOf = (value: unknown): string => {
  const texts = [inspect(value, { depth: 20, showHidden: true, getters: true }), JSON.stringify(value) ?? ''];
  for (let at = value; at instanceof Error; at = at.cause) {
    texts.push(at.message, String(at.stack), String(at), at.toString(), inspect(at.cause, { depth: 20 }));
    texts.push(JSON.stringify(at, Object.getOwnPropertyNames(at)));
  }
  return texts.join('\n');
};
export const leaksIn = (value: unknown): readonly string[] => {
  const text = textsOf(value);
  return canaries.filter((canary) => text.includes(canary));
};

/** Spans and metrics as an exporter gets them. */
const watchSpans = (keep: (span: unknown) => void): Trace => {
  const onEnd = ({ name, attributes, status, events }: ReadableSpan): void =>
    keep({ name, attributes, status, events });
  const done = async (): Promise<void> => undefined;
  const processor = { onStart: () => undefined, onEnd, forceFlush: done, shutdown: done };
  return otelTrace({
    tracerProvider: new TracerProvider({ spanProcessors: [processor] }),
    urlTemplate: true,
  });
};

/** Everything that an application or its tools may see of one client: events, lines of a log, and spans. */
export const watch = () => {
  const seen: unknown[] = [];
  const keep = (...given: readonly unknown[]) => void seen.push(...given);
  const on: Required<Pick<Observers, 'request' | 'response' | 'retry' | 'token' | 'deprecation'>> = {
    request: keep,
    response: keep,
    retry: keep,
    token: keep,
    deprecation: keep,
  };
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  return { seen, options: { on, logger, trace: watchSpans(keep) } };
};
