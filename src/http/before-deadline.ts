import { TimeoutError } from '../errors/connection-error.ts';
import type { Mask } from './secrets.ts';
import { maskUrl } from './url.ts';
import { type Limits, tooLate, withinLimits } from './wait.ts';

/** What a wait before sending needs of its request. */
export interface WaitingRequest extends Limits {
  readonly method: string;
  readonly url: string;
  readonly mask: Mask;
}

/** The deadline came while a request waited for its turn or its token. */
export const toDeadlineError = ({ method, url, mask }: WaitingRequest): TimeoutError =>
  new TimeoutError({
    message: 'The deadline of the call came before the request could be sent',
    sent: false,
    method,
    url: maskUrl(url, mask),
  });

/**
 * Waits for something that a request needs before it is sent.
 *
 * @throws {@link TimeoutError} at the deadline; the signal's reason when aborted
 */
export const beforeDeadline = async <T>(promise: Promise<T>, request: WaitingRequest): Promise<T> => {
  const result = await withinLimits(promise, request);
  if (result === tooLate) throw toDeadlineError(request);
  return result;
};
