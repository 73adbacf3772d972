/**
 * A body as `fetch` sends it. A stream can be sent once, so its request is neither retried nor replayed after
 * a 401.
 */
export type RequestBody =
  | string
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream;

/** What a client passes to `fetch` for a request: options that every `fetch` knows. */
export interface FetchInit {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | null;
  /** Ends the request, also while its response is read. */
  readonly signal: AbortSignal;
  /** Redirects are never followed. */
  readonly redirect: 'manual' | 'error';
  /** In a browser, so that its cache does not answer. */
  readonly cache?: 'no-store';
  /** For a body that is a stream. */
  readonly duplex?: 'half';
}

/**
 * What a client reads of a response. A web `Response` fits, as do the responses of most libraries. With
 * `as: 'response'`, the caller gets a web `Response` of it.
 */
export interface FetchResponse {
  readonly status: number;
  /** Only the caller of `as: 'response'` reads it. */
  readonly statusText?: string | undefined;
  readonly headers: Headers;
  /** `cors` in a browser, where the server decides which headers are visible. */
  readonly type?: string;
  /** The decoded body; null where there is none, undefined where the library has no web streams. */
  readonly body?: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** True when somebody has read the body: then nobody else can. */
  readonly bodyUsed?: boolean;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The part of `fetch` that a client uses: what it passes, and what it reads of the response. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
