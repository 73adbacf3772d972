import { sourceOf } from './body.ts';
import type { FetchResponse } from './fetch.ts';

/** What is read of a response to make it the web's. */
type GivenResponse = Omit<FetchResponse, 'text'>;

/**
 * By its members, not by its class: under Jest, and with the `fetch` of a package, the class is another one.
 */
const isWebResponse = (response: GivenResponse): response is Response => {
  const { body, clone } = response as Partial<Response>;
  // A library may have the methods over a body that is a stream of Node.
  return typeof clone === 'function' && (body === null || typeof body?.getReader === 'function');
};

/**
 * True for a stream that the `Response` here takes: that of another realm would become the string "[object
 * ReadableStream]".
 */
const isOfThisRealm = (body: unknown): boolean => body instanceof ReadableStream;

/** A body that is read when it is asked for: as a stream where there is one, else all at once. */
const toStream = (response: GivenResponse): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const { body } = response;
  if (body && isOfThisRealm(body)) return body;
  const reader = body?.getReader?.();
  const readAll: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    pull: async (controller) => {
      controller.enqueue(new Uint8Array(await response.arrayBuffer()));
      controller.close();
    },
  };
  return new ReadableStream(reader === undefined ? readAll : sourceOf(reader), { highWaterMark: 0 });
};

/** False for a reason phrase that the constructor refuses. */
const isReasonPhrase = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

// The constructor refuses a body for them (Fetch, "null body status").
const bodiless: readonly number[] = [204, 205, 304];

/**
 * The response of any `fetch` as the web's `Response`, unread. That of most is one already, and stays as it
 * is.
 */
export const toWebResponse = (response: GivenResponse, url: string): Response => {
  if (isWebResponse(response)) return response;
  const { status, statusText = '', headers } = response;
  const body = response.body === null || bodiless.includes(status) ? null : toStream(response);
  const reason = isReasonPhrase(statusText) ? statusText : '';
  // The constructor takes no status above 599, such as 999 of LinkedIn, and leaves the URL empty.
  const made = new Response(body, { status: Math.min(status, 599), statusText: reason, headers });
  return Object.defineProperties(made, {
    status: { value: status, configurable: true },
    url: { value: url, configurable: true },
  });
};
