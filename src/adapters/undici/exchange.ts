import type { Dispatcher } from 'undici';
import { ArrivingBody, toFetchError } from './body.ts';
import { parseCodings } from './decoder.ts';
import { LightResponse, type RawFields, ResponseHeaders } from './response.ts';

type Controller = Dispatcher.DispatchController;

/** Statuses whose responses have no body, whatever the server sends (Fetch, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The request of an exchange, and where its response goes. */
export interface ExchangeInit {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** The handler of one dispatched request: it makes the response, and ends when the signal aborts. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #init: ExchangeInit;
  #controller: Controller | undefined;
  /** Undefined until the head of the response arrives, null for a response without a body. */
  #body: ArrivingBody | null | undefined;
  #isOver = false;

  constructor(init: ExchangeInit) {
    this.#init = init;
    init.signal?.addEventListener('abort', this);
  }

  /** Sends the request. A dispatcher reports a failure to {@link onResponseError}, or throws it. */
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

  /** Rejects with the reason, and closes the connection. */
  #fail(reason: unknown): void {
    if (!this.#finish()) return;
    if (this.#body === undefined) this.#init.reject(reason);
    else this.#body?.fail(reason);
    this.#abort(reason);
  }

  #abort(reason: unknown): void {
    // The dispatcher passes the reason to onResponseError, which ignores it by now.
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was aborted'));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // The caller gave up while the request waited for a connection: nothing is sent.
    if (this.#isOver) this.#abort(undefined);
  }

  onResponseStart(controller: Controller, status: number, fields: RawFields, statusText = ''): void {
    // 1xx: the final response follows.
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
    // A body where none is allowed: the connection cannot be reused.
    else if (this.#finish()) this.#abort(undefined);
  }

  onResponseEnd(): void {
    if (this.#finish()) this.#body?.complete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.#fail(toFetchError(this.#body === undefined ? 'fetch failed' : 'terminated', error));
  }
}
