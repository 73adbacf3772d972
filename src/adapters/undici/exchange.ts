import type { Dispatcher } from 'undici';
import { ArrivingBody, toFetchError } from './body.ts';
import { parseCodings } from './decoder.ts';
import { type RawFields, ResponseHeaders } from './headers.ts';
import { LightResponse } from './response.ts';

type Controller = Dispatcher.DispatchController;

/** Statuses whose responses have no body, whatever the server sends (Fetch, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** What an exchange is about. */
export interface ExchangeInit {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** What hears of one request from its dispatcher: makes the response, and ends with the signal. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #init: ExchangeInit;
  #controller: Controller | undefined;
  /** Undefined before the head of the response is there, null for a response without a body. */
  #body: ArrivingBody | null | undefined;
  #isOver = false;

  constructor(init: ExchangeInit) {
    this.#init = init;
    init.signal?.addEventListener('abort', this);
  }

  /** Hands the request to what sends it; what goes wrong there is told to {@link onResponseError}, or thrown. */
  start(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): void {
    try {
      dispatcher.dispatch(options, this);
    } catch (error) {
      this.#fail(toFetchError('fetch failed', error));
    }
  }

  /** The signal aborts. */
  handleEvent(): void {
    this.#fail(this.#init.signal?.reason);
  }

  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#init.signal?.removeEventListener('abort', this);
    return true;
  }

  /** Ends with what the caller is told, and leaves nothing open. */
  #fail(reason: unknown): void {
    if (!this.#finish()) return;
    if (this.#body === undefined) this.#init.reject(reason);
    else this.#body?.fail(reason);
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    // The reason goes no further than to onResponseError, where nobody listens any more.
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was aborted'));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // It was given up while it waited for a connection: nothing is sent.
    if (this.#isOver) this.#abort(undefined);
  }

  onResponseStart(controller: Controller, status: number, fields: RawFields, statusText = ''): void {
    // 1xx: the response is still to come.
    if (status < 200 || this.#isOver) return;
    const { url, method, signal, resolve } = this.#init;
    const headers = new ResponseHeaders(fields);
    let body: ArrivingBody | null = null;
    if (method !== 'HEAD' && !bodiless.has(status)) {
      try {
        body = new ArrivingBody({
          flow: controller,
          codings: parseCodings(headers.get('content-encoding')),
          signal,
        });
      } catch (error) {
        this.#fail(toFetchError('fetch failed', error));
        return;
      }
    }
    this.#body = body;
    resolve(new LightResponse({ url, status, statusText, headers, body }));
  }

  onResponseData(_controller: Controller, chunk: Buffer<ArrayBuffer>): void {
    if (this.#isOver) return;
    if (this.#body) this.#body.push(chunk);
    // A body where there is none: the connection is of no use any more.
    else if (this.#finish()) this.#abort(undefined);
  }

  onResponseEnd(): void {
    if (this.#finish()) this.#body?.complete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.#fail(toFetchError(this.#body === undefined ? 'fetch failed' : 'terminated', error));
  }
}
