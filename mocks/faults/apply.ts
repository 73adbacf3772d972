// What a fault does to a response.
import { errorPhrases, header } from '../../src/conventions.ts';
import { untilAborted } from '../abort.ts';
import { formatErrorBody, jsonResponse, withHeaders } from '../message.ts';
import type { WrittenFault } from './waiting.ts';

const phrases: ReadonlyMap<string, string> = new Map(Object.entries(errorPhrases));

/** The response of a fault; undefined when the usual one is sent. */
export const faultResponse = ({ status, body }: WrittenFault): Response | undefined => {
  if (status === undefined && body === undefined) return undefined;
  const code = status ?? 200;
  const content =
    body ?? (code >= 400 ? formatErrorBody(phrases.get(String(code)) ?? `Status ${code}`) : undefined);
  return content === undefined ? new Response(null, { status: code }) : jsonResponse(code, content);
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
    // Nothing is read ahead, because an error discards what is still unread.
    { highWaterMark: 0 },
  );
};

/** Changes a response as a fault says. A connection that ends is `Response.error()`. */
export const applyFault = async (response: Response, fault: WrittenFault): Promise<Response> => {
  if (fault.cut === 'response' || response.type === 'error') return Response.error();
  const changed = withHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value);
    for (const name of fault.without ?? []) headers.delete(name);
  });
  if (fault.cut !== 'body') return changed;
  const bytes = new Uint8Array(await changed.arrayBuffer());
  // Without a body there is no middle to cut.
  if (bytes.length === 0) return Response.error();
  const { status, headers } = changed;
  headers.set(header.contentLength, String(bytes.length));
  return new Response(cutInHalf(bytes), { status, headers });
};

/** The longest time that a timer can hold; a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits in real time. Rejects early with the reason of the signal when the request is aborted. */
export const delay = async (ms: number, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
  try {
    await untilAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
};
