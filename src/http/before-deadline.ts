import { TimeoutError } from '../errors/connection-error.ts';
import { contextOf, type RequestInErrors } from './error-context.ts';
import { type Limits, tooLate, withinLimits } from './wait.ts';

/** What a wait before sending needs of its request. */
export type WaitingRequest = Limits & RequestInErrors;

/** The deadline came while a request waited for its turn or its token. */
export const toDeadlineError = (request: WaitingRequest): TimeoutError =>
  new TimeoutError({
    ...contextOf(request),
    message: 'not sent: `deadlineMs` passed while the request waited',
    sent: false,
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
