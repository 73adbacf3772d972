import { HTTPException } from 'hono/http-exception';
import {
  AmbiguousOutcomeError,
  isApiError,
  isConnectionError,
  TimeoutError,
  TokenRequestError,
  UnexpectedResponseError,
} from 'restkin';

/** What a visitor is told of a failure. */
export interface Problem {
  readonly status: 403 | 404 | 500 | 502 | 503 | 504;
  readonly text: string;
  readonly retryAfterS?: number;
}

const busy = (retryAfterMs = 5_000): Problem => ({
  status: 503,
  text: 'We cannot reach the order desk just now. Please try again in a moment.',
  retryAfterS: Math.ceil(retryAfterMs / 1_000),
});

/** The page and the status for an error of the API behind this site. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof HTTPException && error.status === 403) {
    return { status: 403, text: 'This form was sent from another site.' };
  }
  if (isApiError(error)) {
    switch (error.status) {
      case 403:
        return { status: 403, text: 'You may not do this.' };
      case 404:
        return { status: 404, text: 'There is no such order.' };
      // 429 is about this site and not about the visitor, who is told the same as in an outage.
      case 429:
      case 503:
        return busy(error.retryAfterMs);
      default:
        return { status: 502, text: 'The order desk had a problem with this.' };
    }
  }
  // Before the other connection errors: whoever sends the form once more may order twice.
  if (error instanceof AmbiguousOutcomeError) {
    return {
      status: 502,
      text: 'Your order may have been placed, or not. Please ask before you send it again.',
    };
  }
  if (error instanceof TimeoutError) return { status: 504, text: 'The order desk took too long to answer.' };
  if (isConnectionError(error)) return busy();
  if (error instanceof TokenRequestError && error.temporary) return busy();
  if (error instanceof UnexpectedResponseError) {
    return { status: 502, text: 'The order desk gave an answer that we do not understand.' };
  }
  return { status: 500, text: 'Something is wrong on our side.' };
};
