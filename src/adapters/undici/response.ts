import { type ArrivingBody, collect } from './body.ts';

/** Headers by lower-case name, as a dispatcher returns them: a header that arrived more than once is a list. */
export type RawFields = Readonly<Record<string, string | string[] | undefined>>;

const outerSpace = /^[\t\n\r ]+|[\t\n\r ]+$/g;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

/** The parser keeps spaces at the end of a line, which few lines have. */
const normalize = (value: string): string =>
  value !== '' && (isSpace(value.charCodeAt(value.length - 1)) || isSpace(value.charCodeAt(0)))
    ? value.replace(outerSpace, '')
    : value;

/**
 * The `Headers` of a response, filled when more than single headers are read: filling costs more than parsing the head of
 * the response did.
 */
export class ResponseHeaders extends Headers {
  readonly #fields: RawFields;
  #isReal = false;

  constructor(fields: RawFields) {
    super();
    this.#fields = fields;
  }

  #makeReal(): void {
    if (this.#isReal) return;
    this.#isReal = true;
    for (const [name, value] of Object.entries(this.#fields)) {
      if (value === undefined) continue;
      for (const one of typeof value === 'string' ? [value] : value) super.append(name, one);
    }
  }

  override get(name: string): string | null {
    if (this.#isReal) return super.get(name);
    const key = String(name).toLowerCase();
    const value = Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
    // The built-in `get` throws for an invalid name.
    if (value === undefined) return super.get(name);
    return typeof value === 'string' ? normalize(value) : value.map(normalize).join(', ');
  }

  override has(name: string): boolean {
    if (this.#isReal) return super.has(name);
    return Object.hasOwn(this.#fields, String(name).toLowerCase()) || super.has(name);
  }

  override getSetCookie(): string[] {
    this.#makeReal();
    return super.getSetCookie();
  }

  // The headers of a response cannot be changed (Fetch, "immutable").
  override append(): void {
    throw new TypeError('immutable');
  }

  override set(): void {
    throw new TypeError('immutable');
  }

  override delete(): void {
    throw new TypeError('immutable');
  }

  override forEach(
    callback: (value: string, key: string, parent: Headers) => void,
    thisArgument?: unknown,
  ): void {
    this.#makeReal();
    super.forEach(callback, thisArgument);
  }

  override keys(): HeadersIterator<string> {
    this.#makeReal();
    return super.keys();
  }

  override values(): HeadersIterator<string> {
    this.#makeReal();
    return super.values();
  }

  override entries(): HeadersIterator<[string, string]> {
    this.#makeReal();
    return super.entries();
  }

  override [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  /** What `console.log` shows in Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): Headers {
    return new Headers(this);
  }
}

/** The name of a method that reads a body without a web stream; the client looks for it. */
export const wholeBody: unique symbol = Symbol.for('restkin.body');

const decoder = new TextDecoder();

/**
 * A `Response` without the cost of a built-in one, which is more than that of the request. The built-in one is made only
 * for the body as a stream, a clone or a form.
 */
export class LightResponse implements Response {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type = 'basic';
  readonly redirected = false;
  readonly #body: ArrivingBody | null;
  #isRead = false;
  #real: Response | undefined;

  /** @param body - null for HEAD, 204, 205 and 304 */
  constructor(
    { url, status, statusText, headers }: Pick<Response, 'url' | 'status' | 'statusText' | 'headers'>,
    body: ArrivingBody | null,
  ) {
    this.url = url;
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.#body = body;
  }

  get [Symbol.toStringTag](): string {
    return 'Response';
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /**
   * Reads the decoded body to its end. The result may share its buffer with other bytes, so it is read at once and not kept.
   *
   * @throws RangeError when it is larger than `limit` bytes
   */
  [wholeBody](limit: number): Promise<Uint8Array<ArrayBuffer>> {
    // Then the built-in response has the body. It throws when the body is read twice.
    if (this.#isRead || this.#real !== undefined) return this.#readReal(limit);
    this.#isRead = true;
    return this.#body === null ? Promise.resolve(new Uint8Array(0)) : this.#body.read(limit);
  }

  async #readReal(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const { add, join } = collect(limit, (error) => {
      throw error;
    });
    for await (const chunk of this.#toReal().body ?? []) add(chunk);
    return join();
  }

  #toReal(): Response {
    if (this.#real !== undefined) return this.#real;
    const { headers } = this;
    if (this.#body === null) this.#real = new Response(null, { headers });
    else if (this.#isRead) {
      this.#real = new Response('', { headers });
      void this.#real.text();
    } else {
      this.#real = new Response(this.#body.toStream(), { headers });
    }
    return this.#real;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#body === null && this.#real === undefined ? null : this.#toReal().body;
  }

  get bodyUsed(): boolean {
    return this.#real?.bodyUsed ?? (this.#isRead && this.#body !== null);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    // A copy, in a buffer without other bytes.
    return new Uint8Array(await this[wholeBody](Number.POSITIVE_INFINITY));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async text(): Promise<string> {
    return decoder.decode(await this[wholeBody](Number.POSITIVE_INFINITY));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  blob(): Promise<Blob> {
    return this.#toReal().blob();
  }

  formData(): Promise<FormData> {
    return this.#toReal().formData();
  }

  clone(): Response {
    const copy = new LightResponse(this, null);
    copy.#real = this.#toReal().clone();
    return copy;
  }
}
