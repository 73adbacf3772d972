import type { output } from 'zod/v4/core';
import type { Method } from '../conventions.ts';
import { ResponseTooLargeError } from '../errors/response-error.ts';
import { contextOf } from '../http/message.ts';
import { checkCountOrNone, createReader } from '../options.ts';
import type { Schema } from '../schema/types/shape.ts';
import type { ClientContext } from './context.ts';
import { parseJson, toChecked } from './outcome.ts';
import {
  contextFor,
  type OwnExchange,
  type OwnRequest,
  readOwnRequest,
  requestChecks,
  sendOwnRequest,
  toOwnResult,
} from './own-request.ts';
import type { CallContext } from './pipeline.ts';
import type { BodyStream } from './streamed.ts';

/** A request for {@link Client.lines}, whose response is newline-delimited JSON. */
export interface LinesRequest<S extends string = string>
  extends Omit<OwnRequest<S>, 'method' | 'as' | 'resumeFrom' | 'ifNoneMatch' | 'modifiedSince'> {
  /** `GET` by default. */
  readonly method?: Method | undefined;
  /** Checks and types each line. */
  readonly schema?: Schema | undefined;
  /** Longest line in characters; `maxResponseBytes` of the client by default. */
  readonly maxLineLength?: number | undefined;
}

/** What {@link Client.lines} gives for a line, by the schema. */
export type Line<Q> = Q extends { readonly schema: infer S extends Schema } ? output<S> : unknown;

const { as: _as, resumeFrom: _from, ifNoneMatch: _etag, modifiedSince: _date, ...others } = requestChecks;
const readLinesRequest = createReader<LinesRequest>({ ...others, maxLineLength: checkCountOrNone });

// There is no registered type, so any is accepted; each line is checked in any case.
const lineTypes = 'application/x-ndjson, application/jsonl;q=0.9, */*;q=0.1';

/** An iterator whose code is loaded when it is first used. */
const createIterator = <T>(load: () => Promise<AsyncIterableIterator<T, undefined>>) => {
  let lines: AsyncIterableIterator<T, undefined> | undefined;
  let loading: ReturnType<typeof load> | undefined;
  const start = async () => {
    loading ??= load();
    lines = await loading;
    return lines;
  };
  return {
    next: () => lines?.next() ?? start().then((loaded) => loaded.next()),
    return: () => start().then((loaded) => loaded.return?.() ?? { done: true as const, value: undefined }),
  };
};

const open = async (context: ClientContext, given: LinesRequest) => {
  const call = context.beginCall();
  try {
    const {
      maxLineLength: maxLength = context.maxResponseBytes,
      method = 'GET',
      accept = lineTypes,
      schema,
      ...rest
    } = readLinesRequest(given, 'client.lines');
    const request = readOwnRequest({ ...rest, method, accept, as: 'stream' }, 'client.lines');
    const api: CallContext = { ...contextFor(context, request, 'client.lines'), call };
    const { readLines } = await import('../http/read-lines.ts');
    let exchange: OwnExchange;
    return readLines({
      open: async (requests) => {
        const { signal } = request;
        const send = endWith(signal, requests, (own: OwnRequest) => sendOwnRequest(api, own));
        const sent = await send({ ...request, signal: requests.signal });
        // The stream gets the signal of the call: a reader that leaves cancels the stream, which is not a failure.
        exchange = { ...sent, request: { ...sent.request, signal } };
        // An unconditional request for a stream always gives one.
        return (await toOwnResult(exchange)) as BodyStream;
      },
      maxLength,
      toValue: (written, line) => {
        const value = parseJson(exchange, written, line);
        return schema === undefined ? value : toChecked(exchange, schema, [value], false, line)[0];
      },
      toTooLong: (line) =>
        new ResponseTooLargeError({
          ...contextOf(exchange.request, exchange.response),
          message: `line ${line} is longer than ${maxLength} characters; raise \`maxLineLength\` to allow it`,
          status: exchange.response.status,
          attempts: exchange.response.attempts,
          line,
        }),
      onFailure: call.fail,
    });
  } catch (error) {
    throw call.fail(error);
  }
};

/** Each iteration sends a request of its own. */
/** Aborts requests with the signal of their call, while one is in flight. */
const endWith = <Given, Result>(
  signal: AbortSignal | undefined,
  requests: AbortController,
  send: (given: Given) => Promise<Result>,
): ((given: Given) => Promise<Result>) => {
  if (signal === undefined) return send;
  let sent = 0;
  const onAbort = (): void => requests.abort(signal.reason);
  return async (given) => {
    signal.throwIfAborted();
    if (sent++ === 0) signal.addEventListener('abort', onAbort);
    try {
      return await send(given);
    } finally {
      if (--sent === 0) signal.removeEventListener('abort', onAbort);
    }
  };
};

export const createLines =
  (context: ClientContext) =>
  (given: LinesRequest): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => createIterator(() => open(context, given)),
  });
