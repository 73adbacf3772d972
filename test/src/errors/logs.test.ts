import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { createStackParser, createTransport, extraErrorDataIntegration, Scope } from '@sentry/core';
import { nodeStackLineParser, ServerRuntimeClient } from '@sentry/core/server';
import pino from 'pino';
import { basicAuth, NotFoundError, type RequestError, ValidationError } from 'restkin';
import { describe, expect, test } from 'vitest';
import winston from 'winston';
import { connect, failureOf, orderBody } from '../../support/basic-ordering.ts';
import { leaksIn, password, username } from '../../support/canaries.ts';
import { json, record } from '../../support/recording-server.ts';

/** What a logger writes to a stream. */
const written = async (write: (stream: Writable) => void): Promise<string> => {
  const chunks: string[] = [];
  write(
    new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(String(chunk));
        done();
      },
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  return chunks.join('');
};

const toSentry = async (error: unknown): Promise<string> => {
  const sent: string[] = [];
  const client = new ServerRuntimeClient({
    dsn: 'https://key@sentry.test/1',
    integrations: [extraErrorDataIntegration({ depth: 5 })],
    stackParser: createStackParser(nodeStackLineParser()),
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        sent.push(String(body));
        return { statusCode: 200 };
      }),
  });
  const scope = new Scope();
  scope.setClient(client);
  client.init();
  scope.captureException(error);
  await client.flush(1_000);
  return sent.join('');
};

const { combine, errors, json: jsonFormat } = winston.format;
const winstonTo = (stream: Writable) =>
  winston.createLogger({
    format: combine(errors({ stack: true }), jsonFormat()),
    transports: [new winston.transports.Stream({ stream })],
  });

const logs: Readonly<Record<string, (error: Error) => string | Promise<string>>> = {
  'JSON.stringify': (error) => JSON.stringify(error),
  'util.inspect': (error) => inspect(error, { depth: 5 }),
  pino: (error) => written((stream) => pino(stream).error(error)),
  'pino, as a field': (error) => written((stream) => pino(stream).error({ err: error }, 'failed')),
  winston: (error) => written((stream) => winstonTo(stream).error(error)),
  'winston, as a field': (error) => written((stream) => winstonTo(stream).error('failed', { error })),
  Sentry: toSentry,
  'structuredClone of its fields': (error) =>
    JSON.stringify(structuredClone((error as RequestError).toJSON())),
};

const serve = (status: number) => {
  const errors = [
    { field: 'status', code: 'invalid' },
    { field: 'lines.0.sku', code: password },
  ];
  return record(() =>
    json({ message: `Not ${password}`, errors }, status, { 'x-request-id': 'r-9', 'x-echo': 'none' }),
  );
};
const auth = basicAuth({ username, password });

describe.each(Object.entries(logs))('%s', (_name, show) => {
  test('shows what an error is about, and no secret', async () => {
    await using server = await serve(404);
    const { orders } = connect(server.url, { auth });
    const error = await failureOf(orders.get(7), NotFoundError);
    const text = await show(error);
    const { callId = '' } = error;
    const url = `${server.url}/v1/orders/7`;
    for (const part of ['NotFoundError', 'not_found', '404', 'GET', url, 'r-9', callId, 'durationMs'])
      expect(text).toContain(part);
    expect(leaksIn(text)).toEqual([]);
  });

  test('shows the fields and codes of a validation failure', async () => {
    await using server = await serve(400);
    const { orders } = connect(server.url, { auth });
    const text = await show(await failureOf(orders.create(orderBody), ValidationError));
    for (const part of ['status', 'invalid', 'lines.0.sku', 'validation_failed'])
      expect(text).toContain(part);
    expect(leaksIn(text)).toEqual([]);
  });
});

test('structuredClone keeps what the platform keeps of any error: the message, and the name in the stack', async () => {
  await using server = await serve(400);
  const { orders } = connect(server.url, { auth });
  const clone = structuredClone(await failureOf(orders.create(orderBody), ValidationError));
  expect(clone.message).toBe(
    `POST ${server.url}/v1/orders: 400 Bad Request: Not ***: status (invalid), lines.0.sku (***)`,
  );
  expect(clone.stack).toMatch(/^ValidationError: POST /);
  expect(leaksIn(clone)).toEqual([]);
});
