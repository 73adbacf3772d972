// What follows from a failed attempt: whether another one may follow, and whether the outcome is unknown.
import { type Method, methodRules } from '../conventions.ts';
import { ApiError } from '../errors/api-error.ts';
import { AmbiguousOutcomeError, ConnectionError, TimeoutError } from '../errors/connection-error.ts';
import type { RequestError } from '../errors/restkin-error.ts';
import { TokenRequestError } from '../errors/token-error.ts';
import { isLasting } from './failure.ts';
import type { ApiRequest } from './message.ts';

/** True for an error with one of these statuses. */
export const isStatus = (error: unknown, ...statuses: readonly number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status);

/**
 * Statuses above 500 by which a server says that it did nothing. All others come from a gateway, which may
 * have lost the response of the server.
 */
const notProcessed: readonly number[] = [501, 503, 505];

/**
 * True when the response may have been lost after the server processed the request: on the connection, or
 * between a gateway and the server.
 */
const isResponseLost = (error: unknown): boolean => {
  if (error instanceof ConnectionError) return error.sent;
  return error instanceof ApiError && error.status > 500 && !notProcessed.includes(error.status);
};

/**
 * True when the server failed, and may have changed something before: for a 500, and for a 503 that is not an
 * error body of the API (§7.2.2). Such a 503 comes from a gateway, which may have passed the request on.
 */
const mayBeHalfDone = (error: unknown): boolean =>
  isStatus(error, 500) || (isStatus(error, 503) && (error.detail === undefined || error.body !== undefined));

/**
 * HEAD is as safe as GET. Any other method that the conventions do not have comes from `client.fetch`, and
 * counts as POST.
 */
const rulesOf = (method: string) => {
  if (method === 'HEAD') return methodRules.GET;
  return Object.hasOwn(methodRules, method) ? methodRules[method as Method] : methodRules.POST;
};

/**
 * Whether another attempt may follow a failure. The first row that is true counts:
 *
 * | failure                              | GET, OPTIONS | PUT, DELETE        | POST, PATCH              |
 * |--------------------------------------|--------------|--------------------|--------------------------|
 * | no token, for a temporary reason     | yes          | yes                | yes                      |
 * | no token, for another reason         | no           | no                 | no                       |
 * | the deadline passed before sending   | no           | no                 | no                       |
 * | it lasts, such as a bad certificate  | no           | no                 | no                       |
 * | nothing was sent, 429                | yes          | yes                | yes                      |
 * | 503                                  | yes          | yes                | `writesAfterUnavailable` |
 * | lost after sending, 500, gateways    | yes          | `idempotentWrites` | no                       |
 * | any other                            | no           | no                 | no                       |
 *
 * With an `Idempotency-Key` the server recognises a repeated write, so that it is retried as a GET is.
 */
export const isRetryable = (
  { method, headers, retry }: Pick<ApiRequest, 'method' | 'headers' | 'retry'>,
  error: unknown,
): boolean => {
  const { safe, idempotent } = rulesOf(method);
  const isRepeatable = safe || Boolean(headers['idempotency-key']);
  if (error instanceof TokenRequestError) return error.temporary;
  const isTooLate = error instanceof TimeoutError && !error.sent;
  if (isTooLate || isLasting(error)) return false;
  if (isStatus(error, 429) || (error instanceof ConnectionError && !error.sent)) return true;
  if (isStatus(error, 503)) return isRepeatable || idempotent || retry.writesAfterUnavailable;
  const mayBeDone = isStatus(error, 500) || isResponseLost(error);
  return mayBeDone && (isRepeatable || (idempotent && retry.idempotentWrites));
};

/**
 * Statuses below 500 that do not show how an earlier attempt ended: it may be the cause of a 409, 412 or 423,
 * and the others are not about the write. The rest, such as 400, every attempt would have met.
 */
const undecided: readonly number[] = [401, 408, 409, 412, 423, 425, 429];

/** True for a DELETE of a resource that an earlier attempt may have deleted. */
const isRemoved = (error: unknown, method: Method): boolean =>
  method === 'DELETE' && isStatus(error, 404, 410);

/** What may have become of the attempts of a request that failed. */
export interface EarlierAttempts {
  /** One was lost, and may have been processed. */
  readonly isLost: boolean;
  /** One failed at the server, which may have changed something before. */
  readonly hasFailed: boolean;
}

/** Before the first failure. */
export const noneFailed: EarlierAttempts = { isLost: false, hasFailed: false };

/** The earlier attempts with one more that failed. */
export const addFailure = ({ isLost, hasFailed }: EarlierAttempts, error: unknown): EarlierAttempts => ({
  isLost: isLost || isResponseLost(error),
  hasFailed: hasFailed || mayBeHalfDone(error),
});

/**
 * Whether the outcome of a write is unknown:
 *
 * | its last failure                        | after a lost attempt | after a failed one |
 * |-----------------------------------------|----------------------|--------------------|
 * | undecided, or 404 or 410 to a DELETE    | yes                  | yes                |
 * | any other status below 500              | no                   | no                 |
 * | 500 and above                           | yes                  | no                 |
 * | no response                             | yes                  | yes                |
 */
export const isAmbiguous = (
  error: RequestError,
  method: Method,
  { isLost, hasFailed }: EarlierAttempts,
): boolean => {
  if (rulesOf(method).safe) return false;
  if (isStatus(error, ...undecided) || isRemoved(error, method)) return isLost || hasFailed;
  // Without a response, also of a request that was not sent, the status of the earlier attempt would be lost.
  if (!(error instanceof ApiError)) return isLost || hasFailed;
  return isLost && error.status >= 500;
};

/** The error of a write whose outcome {@link isAmbiguous}. */
export const toAmbiguous = (error: RequestError, method: Method): AmbiguousOutcomeError => {
  const advice = isRemoved(error, method)
    ? 'an earlier attempt of this call may have deleted the resource'
    : 'the server may have processed the request; read the resource before you resend it';
  const cause = error instanceof ConnectionError ? error.cause : undefined;
  return new AmbiguousOutcomeError({
    ...error.context,
    cause,
    message: `${error.what}; ${advice}`,
    sent: true,
  });
};
