import { header } from '../src/conventions/headers.ts';
import { formatErrorBody, type HeaderFields, jsonAnswer, phraseOf } from './error-answer.ts';
import type { Route } from './routes.ts';

/** What the next matching requests meet. */
export interface Fault {
  /** The status of the answer. Without one (and without `body`) the request is answered as usual. */
  readonly status?: number | undefined;
  /** How many requests meet it; 1 by default. */
  readonly times?: number | undefined;
  /** Header fields of the answer, or added to the usual one. */
  readonly headers?: HeaderFields | undefined;
  /** The body as it is; by default an error body (§2.3) for a status from 400 and none below. */
  readonly body?: string | undefined;
  /** Of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /** Real milliseconds before the answer. */
  readonly delayMs?: number | undefined;
  /** The key of the only collection that meets it. */
  readonly collection?: string | undefined;
  /** `true`: only the token endpoint meets it. By default every request but those to the token endpoint. */
  readonly token?: boolean | undefined;
}

/** Makes requests fail. */
export interface MockFaults {
  /**
   * The next matching requests get this answer instead. Faults are met in the order they were given.
   *
   * @throws RangeError for a `times` below 1, or a status that no answer can have
   */
  next(fault: Fault): void;
}

/** The faults inside of a mock. */
export interface Faults extends MockFaults {
  /** The fault that a request meets now; undefined for none. */
  take(route: Route): Fault | undefined;
  reset(): void;
}

const matches = ({ token = false, collection }: Fault, route: Route): boolean => {
  if (token || route.kind === 'token') return token && route.kind === 'token';
  return collection === undefined || (route.kind !== 'nothing' && route.endpoint.key === collection);
};

/** No faults yet. */
export const createFaults = (): Faults => {
  let waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    next: (fault) => {
      const { times = 1, status = 200 } = fault;
      if (!(times >= 1)) throw new RangeError('times is a number from 1');
      if (!Number.isInteger(status) || status < 200 || status > 599) {
        throw new RangeError('status is a whole number from 200 to 599');
      }
      waiting.push({ fault, left: times });
    },
    take: (route) => {
      const found = waiting.find(({ fault }) => matches(fault, route));
      if (found === undefined) return undefined;
      found.left -= 1;
      waiting = waiting.filter(({ left }) => left > 0);
      return found.fault;
    },
    reset: () => {
      waiting = [];
    },
  };
};

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer of a fault; undefined when the request is answered as usual. */
export const faultAnswer = ({ status, body, headers, contentType }: Fault): Response | undefined => {
  if (status === undefined && body === undefined) return undefined;
  const code = status ?? 200;
  const text = body ?? (code >= 400 ? formatErrorBody(phraseOf(code) ?? `Status ${code}`) : undefined);
  if (bodiless.has(code) || text === undefined)
    return new Response(null, { status: code, ...(headers && { headers }) });
  return jsonAnswer(code, text, {
    ...(contentType === undefined ? {} : { [header.contentType]: contentType }),
    ...headers,
  });
};

/** Waits real time; ends early, with the reason of the signal, when the request is aborted. */
export const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
