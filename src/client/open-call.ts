import { captureCaller, leadToCaller } from '../errors/caller.ts';
import { PagingError } from '../errors/request-error.ts';
import { RestkinError, toOwnError } from '../errors/restkin-error.ts';
import type { Mask } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';

/** What `on.error` is told. */
export interface FailureEvent {
  /** Names the call; the same in its other events. */
  readonly callId: string;
  /**
   * What the call fails with: an error of restkin, the reason of its signal, or what a function among the options threw. Only
   * the first is certain to hold no secret.
   */
  readonly error: unknown;
}

/** One call of the application, from where it is made to its result. */
export interface OpenCall {
  readonly id: string;
  /** What the call fails with, as its caller is told: reported, and leading to where the call was made. */
  readonly fail: (error: unknown) => unknown;
}

/** Begins a call. */
export type BeginCall = () => OpenCall;

/** Names the calls of one client, and reports those that fail. */
export const createCalls = (onError: ((event: FailureEvent) => void) | undefined, mask: Mask): BeginCall => {
  const client = Math.random().toString(36).slice(2, 10);
  let calls = 0;

  /** A list knows no call, and its URLs are not masked. */
  const toOwn = (error: unknown, callId: string): unknown =>
    error instanceof PagingError && error.url !== ''
      ? toOwnError(error, { url: maskUrl(error.url, mask), callId })
      : error;

  const begin: BeginCall = () => {
    const id = `${client}-${++calls}`;
    const caller = captureCaller(begin);
    return {
      id,
      fail: (error) => {
        const own = toOwn(error, id);
        if (own instanceof RestkinError) leadToCaller(own, caller);
        onError?.({ callId: id, error: own });
        return own;
      },
    };
  };
  return begin;
};
