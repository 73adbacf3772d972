import { pipeline, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Coding } from './decoder.ts';

const mostCauses = 3;

/** The properties of a dispatcher's failure that are copied. */
type Failure = Partial<Record<'name' | 'message' | 'code' | 'cause', unknown>>;

/**
 * A copy of a failure that holds its names and nothing else: a parser's failure holds bytes of the response, a
 * certificate's the certificate, an interceptor's the headers.
 */
const toCause = (failure: Failure, depth = 0): Error => {
  const { name, message, code, cause } = failure;
  const isNested = typeof cause === 'object' && cause !== null && depth < mostCauses;
  const copy = new Error(String(message ?? ''), isNested ? { cause: toCause(cause, depth + 1) } : {});
  if (typeof name === 'string') copy.name = name;
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy;
};

/**
 * The error that `fetch` gives for a failure of the connection: a TypeError with the failure as its cause.
 *
 * @param message - `fetch failed` before the head of the response arrives, `terminated` after it
 */
export const toFetchError = (message: 'fetch failed' | 'terminated', failure: unknown): TypeError =>
  new TypeError(message, typeof failure === 'object' && failure !== null ? { cause: toCause(failure) } : {});

/** The connection that a body comes from; `abort` ends it without reading the rest of the body. */
type Flow = Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>;

/** Receives a body as it arrives. */
interface Sink {
  data(chunk: Uint8Array<ArrayBuffer>): void;
  end(): void;
  fail(reason: unknown): void;
}

/**
 * The stream of Node as a web stream. That of `Readable.toWeb` throws outside of any call when it is cancelled while pieces
 * wait.
 */
const toWeb = (readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>> => {
  // The iterator reports an error to the reader, also one from before the first read.
  readable.on('error', () => undefined);
  const pieces: AsyncIterator<Buffer<ArrayBuffer>> = readable[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      },
      cancel: () => void readable.destroy(),
    },
    { highWaterMark: 0 },
  );
};

/** Bytes that may arrive before the body is read; then the connection is paused. */
const mostWaiting = 64 * 1024;

// A small body is decoded synchronously: a stream costs more than decoding it. A larger one would block the thread.
const mostAtOnce = { encoded: 32 * 1024, decoded: 512 * 1024 };

/** Collects a body up to a limit; `stop` is called above it. */
export const collect = (limit: number, stop: (error: RangeError) => void) => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  return {
    add: (chunk: Uint8Array<ArrayBuffer>): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else stop(new RangeError(`The body is larger than ${limit} bytes`));
    },
    // A body in one piece is not copied.
    join: (): Uint8Array<ArrayBuffer> =>
      chunks[1] === undefined && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length),
  };
};

/** The body of a response while it arrives. One of its methods reads it, once. */
export class ArrivingBody {
  readonly #flow: Flow;
  readonly #codings: readonly Coding[];
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;
  #sink: Sink | undefined;
  #end: 'none' | 'complete' | 'failed' = 'none';
  #reason: unknown;

  /** @param signal - fails the body until it is read, also when all of it has arrived */
  constructor(flow: Flow, codings: readonly Coding[], signal: AbortSignal | undefined) {
    this.#flow = flow;
    this.#codings = codings;
    this.#signal = signal;
  }

  push(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.#sink !== undefined) {
      this.#sink.data(chunk);
      return;
    }
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    if (this.#length > mostWaiting) this.#flow.pause();
  }

  complete(): void {
    this.#end = 'complete';
    this.#sink?.end();
  }

  fail(reason: unknown): void {
    this.#end = 'failed';
    this.#reason = reason;
    this.#sink?.fail(reason);
  }

  #observeSignal(): void {
    if (this.#end === 'complete' && this.#signal?.aborted) this.fail(this.#signal.reason);
  }

  #readInto(sink: Sink): void {
    this.#sink = sink;
    for (const chunk of this.#chunks.splice(0)) sink.data(chunk);
    if (this.#end === 'complete') sink.end();
    else if (this.#end === 'failed') sink.fail(this.#reason);
    else this.#flow.resume();
  }

  /** The encoded body, as a stream with backpressure on the connection. */
  #toReadable(): Readable {
    const readable = new Readable({
      read: () => this.#flow.resume(),
      destroy: (error, callback) => {
        if (this.#end === 'none') this.#flow.abort(error ?? new Error('The body was not read to its end'));
        callback(error);
      },
    });
    this.#readInto({
      data: (chunk) => {
        if (!readable.push(chunk)) this.#flow.pause();
      },
      end: () => void readable.push(null),
      fail: (reason) => void readable.destroy(reason as Error),
    });
    return readable;
  }

  /** The decoded body. */
  toStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return toWeb(this.#toDecoded());
  }

  #toDecoded(): Readable {
    this.#observeSignal();
    const source = this.#toReadable();
    const decoders = this.#codings.map(({ stream }) => stream());
    const last = decoders.at(-1);
    // A failure of any decoder reaches the reader of the last one.
    if (last instanceof Readable) pipeline([source, ...decoders], () => undefined);
    return last ?? source;
  }

  #readPlain(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      const { add, join } = collect(limit, (error) => {
        reject(error);
        this.#flow.abort(error);
      });
      this.#readInto({ data: add, end: () => resolve(join()), fail: reject });
    });
  }

  #readDecoded(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      const stream = this.#toDecoded();
      const { add, join } = collect(limit, (error) => stream.destroy(error));
      stream.on('data', add);
      stream.on('end', () => resolve(join()));
      const fail = (error: unknown): void => {
        if (error instanceof RangeError) reject(error);
        else reject(this.#end === 'failed' ? this.#reason : toFetchError('terminated', error));
      };
      stream.on('error', fail);
      // The reason of a signal may be a value other than an Error. Then there is no `error` event.
      stream.on('close', () => {
        if (!stream.readableEnded) fail(undefined);
      });
    });
  }

  /** A small body that has arrived, decoded; undefined for any other. */
  #decodeAtOnce(limit: number): Uint8Array<ArrayBuffer> | undefined {
    const [coding, ...others] = this.#codings;
    const isSmall = this.#end === 'complete' && this.#length <= mostAtOnce.encoded;
    if (!isSmall || coding?.atOnce === undefined || others.length > 0) return undefined;
    const bytes = Buffer.concat(this.#chunks, this.#length);
    try {
      return coding.atOnce(bytes, Math.min(limit, mostAtOnce.decoded));
    } catch {
      // The body is too large or damaged. Reading it as a stream shows which.
      return undefined;
    }
  }

  /**
   * Reads the decoded body to its end. The result may share its buffer with other bytes of the connection.
   *
   * @throws RangeError when it is larger than `limit`; the connection is closed then
   */
  read(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#observeSignal();
    if (this.#codings.length === 0) return this.#readPlain(limit);
    const decoded = this.#decodeAtOnce(limit);
    return decoded === undefined ? this.#readDecoded(limit) : Promise.resolve(decoded);
  }
}
