import { header } from '../src/conventions/headers.ts';
import { textOf, withFields } from './answer-text.ts';
import { formatErrorBody, type HeaderFields, jsonAnswer, phraseOf } from './error-answer.ts';
import type { Fault } from './fault.ts';

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer of a fault; undefined when the request is answered as usual. */
export const faultAnswer = ({ status, body, contentType }: Fault): Response | undefined => {
  if (status === undefined && body === undefined) return undefined;
  const code = status ?? 200;
  const text = body ?? (code >= 400 ? formatErrorBody(phraseOf(code) ?? `Status ${code}`) : undefined);
  if (bodiless.has(code) || text === undefined) return new Response(null, { status: code });
  return jsonAnswer(code, text, contentType === undefined ? {} : { [header.contentType]: contentType });
};

const reshape = (value: unknown): unknown => (Array.isArray(value) ? { items: value } : [value]);

const spoilText = (text: string, { badJson, wrongShape }: Fault): string => {
  const change = typeof wrongShape === 'function' ? wrongShape : reshape;
  const changed = wrongShape ? JSON.stringify(change(JSON.parse(text))) : text;
  return badJson ? changed.slice(0, Math.ceil(changed.length / 2)) : changed;
};

/** Half of a body, and then the end of the connection. */
const halfOf = (text: string): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const bytes = new TextEncoder().encode(text);
  const halves = [bytes.subarray(0, Math.ceil(bytes.length / 2))];
  return new ReadableStream(
    {
      pull: (controller) => {
        const half = halves.pop();
        if (half === undefined) controller.error(new TypeError('terminated'));
        else controller.enqueue(half);
      },
    },
    // Nothing is asked for early: an error would drop what nobody has read yet.
    { highWaterMark: 0 },
  );
};

const changeFields = (headers: Headers, { headers: added, retryAfterS, without }: Fault): void => {
  const fields: HeaderFields = {
    ...added,
    ...(retryAfterS !== undefined && { [header.retryAfter]: String(retryAfterS) }),
  };
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
  for (const name of without ?? []) headers.delete(name);
};

/** Makes an answer worse, as a fault says. A network error is the response of `Response.error()`. */
export const spoil = async (response: Response, fault: Fault): Promise<Response> => {
  const { cut, badJson, wrongShape } = fault;
  if (cut === 'answer') return Response.error();
  const answer = withFields(response, (headers) => changeFields(headers, fault));
  if (cut !== 'body' && !badJson && !wrongShape) return answer;
  const { status, headers } = answer;
  const whole = await textOf(answer);
  // An answer without a body has no middle, and nothing to spoil.
  if (whole === '') return cut === 'body' ? Response.error() : answer;
  const text = spoilText(whole, fault);
  if (cut !== 'body') return new Response(text, { status, headers });
  headers.set(header.contentLength, String(new TextEncoder().encode(text).length));
  return new Response(halfOf(text), { status, headers });
};

/** The longest time that a timer can hold; a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits real time; ends early, with the reason of the signal, when the request is aborted. */
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
