import { header } from '../../src/conventions.ts';
import { formatErrorBody, type HeaderFields, jsonResponse, phraseOf, withHeaders } from '../message.ts';
import type { Fault } from './fault.ts';

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The response of a fault; undefined when the usual one is sent. */
export const faultResponse = ({ status, body, contentType }: Fault): Response | undefined => {
  if (status === undefined && body === undefined) return undefined;
  const code = status ?? 200;
  const content = body ?? (code >= 400 ? formatErrorBody(phraseOf(code) ?? `Status ${code}`) : undefined);
  if (bodiless.has(code) || content === undefined) return new Response(null, { status: code });
  return jsonResponse(code, content, contentType === undefined ? {} : { [header.contentType]: contentType });
};

const reshape = (value: unknown): unknown => (Array.isArray(value) ? { items: value } : [value]);

const changeBody = (body: string, { badJson, wrongShape }: Fault): string => {
  const change = typeof wrongShape === 'function' ? wrongShape : reshape;
  const changed = wrongShape ? JSON.stringify(change(JSON.parse(body))) : body;
  return badJson ? changed.slice(0, Math.ceil(changed.length / 2)) : changed;
};

/** Half of a body, and then the end of the connection. */
const cutInHalf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const halves = [bytes.subarray(0, Math.ceil(bytes.length / 2))];
  return new ReadableStream(
    {
      pull: (controller) => {
        const half = halves.pop();
        if (half === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(half);
      },
    },
    // Nothing is read ahead: an error would discard what is still unread.
    { highWaterMark: 0 },
  );
};

const changeHeaders = (headers: Headers, { headers: added, retryAfterS, without }: Fault): void => {
  const fields: HeaderFields = {
    ...added,
    ...(retryAfterS !== undefined && { [header.retryAfter]: String(retryAfterS) }),
  };
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  for (const name of without ?? []) headers.delete(name);
};

/** Changes a response as a fault says. A connection that ends is `Response.error()`. */
export const applyFault = async (response: Response, fault: Fault): Promise<Response> => {
  const { cut, badJson, wrongShape } = fault;
  if (cut === 'response') return Response.error();
  const changed = withHeaders(response, (headers) => changeHeaders(headers, fault));
  if (cut !== 'body' && !badJson && !wrongShape) return changed;
  const { status, headers } = changed;
  const whole = await changed.text();
  // Without a body there is no middle to cut, and nothing to change.
  if (whole === '') return cut === 'body' ? Response.error() : new Response(null, { status, headers });
  // As bytes, because a string would add a content type to a response without one.
  const body = new TextEncoder().encode(changeBody(whole, fault));
  // These fields described the whole body.
  for (const name of [header.contentLength, 'transfer-encoding']) headers.delete(name);
  if (cut !== 'body') return new Response(body, { status, headers });
  headers.set(header.contentLength, String(body.length));
  return new Response(cutInHalf(body), { status, headers });
};

/** The longest time that a timer can hold; a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits in real time. Rejects early with the reason of the signal when the request is aborted. */
export const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
