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
    // The built-in one throws for an invalid name.
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
