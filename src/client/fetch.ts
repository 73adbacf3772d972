import { header, type Method } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { isStream, sourceOf } from '../http/body.ts';
import type { RequestBody } from '../http/fetch.ts';
import { checkOwnFields } from '../http/fields.ts';
import type { ApiRequest } from '../http/message.ts';
import { beforeDeadline } from '../http/timing.ts';
import { toWebResponse } from '../http/web-response.ts';
import { callWith, type PreparedCall } from './call.ts';
import { type ApiContext, type ClientContext, toFollowedUrl } from './context.ts';
import type { Exchange } from './exchange.ts';

/** What `fetch` takes and gives; see {@link Client.fetch}. */
export type WebFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const invalid = (problem: string): InvalidRequestError => new InvalidRequestError(`client.fetch: ${problem}`);

/** By its members: the `Request` of another realm, as under Jest, is of another class. */
const isRequest = (input: string | URL | Request): input is Request =>
  typeof input === 'object' && 'bodyUsed' in input;

const mayHaveBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

const toMethod = (given: string, hasBody: boolean): Method => {
  const method = given.toUpperCase();
  if (!/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]+$/.test(method))
    throw invalid('method must be one that fetch sends, such as GET');
  if (hasBody && !mayHaveBody(method)) throw invalid(`${method} has no body`);
  // One that the conventions do not have is retried as POST is, and HEAD as GET.
  return method as Method;
};

const readHeaders = (given: RequestInit['headers']): Headers => {
  try {
    return new Headers(given);
  } catch {
    // The message of the runtime quotes the value, which may be a secret.
    throw invalid('headers have a name or a value that HTTP does not allow');
  }
};

const toFields = (given: RequestInit['headers'], body: unknown) => {
  const fields = checkOwnFields('client.fetch: headers', Object.fromEntries(readHeaders(given)));
  // As `fetch` does for a string.
  const type = typeof body === 'string' && { [header.contentType]: 'text/plain;charset=UTF-8' };
  return { [header.accept]: '*/*', ...type, ...fields };
};

const mostResentBytes = 1024 * 1024;

/**
 * The body of a `Request` is a stream, whatever it was made of. Up to a megabyte it is read, so that it can
 * be resent; a longer one stays a stream, of what was read and of the rest.
 */
const toResendable = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<RequestBody> => {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = 0; bytes <= mostResentBytes; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks);
    bytes += value.length;
    chunks.push(value);
  }
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    ...sourceOf(reader),
  });
};

/** Reads the body of a `Request` when it is sent. Firefox has no stream of it. */
const withBodyOf = (api: ApiContext, given: Request): ApiContext => ({
  ...api,
  send: async (request: ApiRequest) => {
    const read: Promise<RequestBody> = given.body ? toResendable(given.body) : given.arrayBuffer();
    return api.send({ ...request, body: await beforeDeadline(read, request) });
  },
});

const toResponse = ({ request, response }: Exchange): Response => {
  const { unread, body, ...head } = response;
  const arrayBuffer = () => new Response(body).arrayBuffer();
  return unread ?? toWebResponse({ ...head, arrayBuffer }, request.url);
};

const prepare = (
  api: ApiContext,
  input: string | URL | Request,
  init: RequestInit,
  options: PreparedCall['options'],
): PreparedCall => {
  const given = isRequest(input) ? input : undefined;
  const body = init.body ?? undefined;
  const method = toMethod(init.method ?? given?.method ?? 'GET', body !== undefined);
  const url = toFollowedUrl(api, given?.url ?? String(input), undefined, method);
  const source = body === undefined && given?.body !== null && mayHaveBody(method) ? given : undefined;
  if (source?.bodyUsed) throw invalid('the body of the Request was read already');
  if (typeof body === 'object' && Symbol.asyncIterator in body && !isStream(body as RequestBody))
    throw invalid('a body that is a stream must be a ReadableStream; Readable.toWeb makes one in Node');
  return {
    api: source === undefined ? api : withBodyOf(api, source),
    options,
    parts: {
      method,
      url,
      headers: toFields(init.headers ?? given?.headers, body),
      // The runtime takes what its own `fetch` takes.
      body: body as RequestBody | undefined,
      readAs: 'fetch',
    },
    toResult: toResponse,
  };
};

/** A `fetch` that sends each request as the client does, with the first scheme or the one that is named. */
export const createFetch = (context: ClientContext, scheme?: string): WebFetch => {
  const api = context.forFetch(scheme);
  return async (input, given) => {
    const init = given ?? {};
    // A string and a URL have no signal.
    const options = { signal: init.signal ?? (input as Partial<Request>).signal };
    const response = await callWith(context.beginCall, () => prepare(api, input, init, options), options);
    return response as Response;
  };
};
