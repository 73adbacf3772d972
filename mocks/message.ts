import {
  disallowedMethods,
  type ErrorBody,
  type ErrorItem,
  type ErrorStatus,
  errorItemCode,
  header,
  jsonType,
} from '../src/conventions.ts';

/** Headers of a response, by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** An error response of §7.1, thrown anywhere on the way to an operation. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ErrorStatus;
  readonly items: readonly ErrorItem[] | undefined;
  readonly headers: HeaderFields;

  constructor(
    status: ErrorStatus,
    message: string,
    items?: readonly ErrorItem[],
    headers: HeaderFields = {},
  ) {
    super(message);
    this.status = status;
    this.items = items;
    this.headers = headers;
  }
}

/** True for a method that always gets 405 (§4.2, §7.1). */
export const isDisallowed = (method: string): boolean => disallowedMethods.some((name) => name === method);

/**
 * Refuses a method.
 *
 * @param allow - the allowed methods, separated by commas; empty for none (RFC 9110 §10.2.1)
 * @throws {@link Refusal} 405
 */
export const refuseMethod = (method: string, allow: string): never => {
  const supported = allow === '' ? '' : `; this path takes ${allow}`;
  throw new Refusal(405, `${method} is not supported here${supported}`, undefined, { [header.allow]: allow });
};

/** The methods at a path as a header lists them. Each path has OPTIONS (§4.2). */
export const listMethods = (methods: Iterable<string>): string =>
  [...new Set([...methods, 'OPTIONS'])].join(', ');

/** The response to OPTIONS. The conventions list the methods in Accept, where RFC 9110 has Allow (§4.2). */
export const optionsResponse = (listed: string): Response =>
  new Response(null, { status: 200, headers: { [header.accept]: listed } });

/** A field whose value is not valid (§2.3). */
export const invalidItem = (field: string, message: string): ErrorItem => ({
  field,
  code: errorItemCode.invalid,
  message,
});

/** A JSON response (§4.3). */
export const jsonResponse = (status: number, body: string, headers: HeaderFields = {}): Response =>
  new Response(body, { status, headers: { [header.contentType]: jsonType, ...headers } });

/** An error body always has `message`, and `errors` only for validation failures (§7.2). */
export const formatErrorBody = (message: string, items?: readonly ErrorItem[]): string => {
  const body: ErrorBody = items === undefined ? { message } : { message, errors: items };
  return JSON.stringify(body);
};

/**
 * The response of an error: that of a refusal, and a 500 when the mock, or a function in its options, throws.
 */
export const errorResponse = (error: unknown): Response => {
  if (error instanceof Refusal)
    return jsonResponse(error.status, formatErrorBody(error.message, error.items), error.headers);
  const reason = error instanceof Error ? error.message : String(error);
  return jsonResponse(500, formatErrorBody(`The mock failed: ${reason}`));
};

/** The same response with other headers. */
export const withHeaders = (response: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status: response.status, headers });
};

/**
 * Calls a function of the options. Its error names it: the response to it is the only trace that a test has.
 */
export const callOption = async <T>(name: string, call: () => T | Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    throw new Error(`${name} threw ${String(cause)}`, { cause });
  }
};
