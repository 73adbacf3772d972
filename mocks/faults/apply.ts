import { errorPhrases, header } from '../../src/conventions.ts';
import { formatErrorBody, jsonResponse, withHeaders } from '../message.ts';
import type { Fault } from './faults.ts';

const phrases: ReadonlyMap<string, string> = new Map(Object.entries(errorPhrases));

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The response of a fault; undefined when the usual one is sent. */
export const faultResponse = ({ status, body }: Fault): Response | undefined => {
  if (status === undefined && body === undefined) return undefined;
  const code = status ?? 200;
  const content =
    body ?? (code >= 400 ? formatErrorBody(phrases.get(String(code)) ?? `Status ${code}`) : undefined);
  const isBodiless = bodiless.has(code) || content === undefined;
  return isBodiless ? new Response(null, { status: code }) : jsonResponse(code, content);
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

/** Changes a response as a fault says. A connection that ends is `Response.error()`. */
export const applyFault = async (response: Response, fault: Fault): Promise<Response> => {
  if (fault.cut === 'response') return Response.error();
  const changed = withHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
    for (const name of fault.without ?? []) headers.delete(name);
  });
  if (fault.cut !== 'body') return changed;
  const bytes = new Uint8Array(await changed.arrayBuffer());
  // Without a body there is no middle to cut.
  if (bytes.length === 0) return Response.error();
  const { status, headers } = changed;
  // It described the whole body.
  headers.delete('transfer-encoding');
  headers.set(header.contentLength, String(bytes.length));
  return new Response(cutInHalf(bytes), { status, headers });
};

/** The longest time that a timer can hold; a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits in real time. Rejects early with the reason of the signal when the request is aborted. */
export const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
