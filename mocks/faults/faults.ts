import { header } from '../../src/conventions.ts';
import { check } from '../check.ts';
import type { MockClock } from '../clock.ts';
import { createRandom } from '../generate/random.ts';
import type { Route } from '../resources/routes.ts';
import {
  formatErrorBody,
  type HeaderFields,
  jsonResponse,
  phraseOf,
  withHeaders,
} from '../responses/message.ts';
import { secondsUntil } from '../responses/rate-limit.ts';
import type { Apis } from '../row.ts';
import { createFaultChecks, type Fault, isMet, type Outage, type RandomFault } from './fault.ts';

/** Makes requests fail. An outage takes precedence over a fault of {@link MockFaults.next}, which precedes a random one. */
export interface MockFaults<A extends Apis = Apis> {
  /**
   * The next matching requests meet this. Faults are met in the order of the calls.
   *
   * @throws TypeError, RangeError for a fault that no request can meet (unknown collection or method), or that changes
   * nothing; with the name of the property
   * @example
   * ```ts
   * mock.faults.next({ status: 503, times: 2 });
   * mock.faults.next({ collection: 'orders', method: 'POST', cut: 'response' });
   * ```
   */
  next(fault: Fault<A>): void;
  /**
   * A share of the matching requests meets this. The seed alone decides which.
   *
   * @throws RangeError for a rate that is not from 0 to 1, and as {@link MockFaults.next}
   * @example
   * ```ts
   * mock.faults.random({ rate: 0.1, seed: 1, status: 500 });
   * ```
   */
  random(fault: RandomFault<A>): void;
  /**
   * Every matching request gets 503 until the clock of the mock reaches the end.
   *
   * @throws TypeError, RangeError unless `forMs` or `until` says when it ends, and as {@link MockFaults.next}
   * @example
   * ```ts
   * mock.faults.outage({ forMs: 60_000, retryAfter: true });
   * ```
   */
  outage(outage: Outage<A>): void;
  /** Removes every fault and outage. */
  clear(): void;
  /** Faults of {@link MockFaults.next} that wait for a request, each with how many `times` are left. */
  readonly waiting: readonly Fault[];
}

interface Armed {
  readonly fault: Fault;
  left: number;
  applies(): boolean;
}

type Unavailable = Outage & { readonly endsAt: number };

const outageFault = ({ endsAt, retryAfter }: Unavailable, now: number): Fault => ({
  status: 503,
  ...(retryAfter === true && { headers: { [header.retryAfter]: secondsUntil(endsAt, now) } }),
});

export const createFaults = (
  clock: MockClock,
  collections: ReadonlySet<string>,
): MockFaults & {
  /** The fault that a request meets now; undefined for none. */
  take(route: Route, method: string): Fault | undefined;
} => {
  const checks = createFaultChecks(collections);
  let outages: readonly Unavailable[] = [];
  const waiting: Armed[] = [];
  const chances: Armed[] = [];

  const takeFrom = (list: Armed[], route: Route, method: string): Fault | undefined => {
    const met = list.find(({ fault, applies }) => isMet(fault, route, method) && applies());
    if (met === undefined) return undefined;
    met.left -= 1;
    if (met.left <= 0) list.splice(list.indexOf(met), 1);
    return met.fault;
  };

  return {
    next: (fault) => {
      check('mock.faults.next', checks.next, fault);
      waiting.push({ fault, left: fault.times ?? 1, applies: () => true });
    },
    random: (fault) => {
      check('mock.faults.random', checks.random, fault);
      const { rate, seed = 1, times: left = Number.POSITIVE_INFINITY } = fault;
      const random = createRandom(`faults/${seed}`);
      chances.push({ fault, left, applies: () => random.chance(rate) });
    },
    outage: (outage) => {
      check('mock.faults.outage', checks.outage, outage);
      const now = clock.now();
      const endsAt = outage.until?.getTime() ?? now + (outage.forMs ?? 0);
      if (outage.until !== undefined && endsAt <= now)
        throw new RangeError('mock.faults.outage: until must be after the time of mock.clock');
      outages = [...outages, { ...outage, endsAt }];
    },
    clear: () => {
      outages = [];
      waiting.length = 0;
      chances.length = 0;
    },
    get waiting() {
      return waiting.map(({ fault, left }) => ({ ...fault, times: left }));
    },
    take: (route, method) => {
      const now = clock.now();
      outages = outages.filter(({ endsAt }) => now < endsAt);
      const outage = outages.find((one) => isMet(one, route, method));
      if (outage !== undefined) return outageFault(outage, now);
      return takeFrom(waiting, route, method) ?? takeFrom(chances, route, method);
    },
  };
};

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
