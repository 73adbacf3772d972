import { toApiError } from '../errors/api-error.ts';
import { parseErrorBody } from '../errors/error-body.ts';
import { RedirectRefusedError } from '../errors/response-error.ts';
import { readRetryAfter } from '../headers/dates.ts';
import { type ApiRequest, type ApiResponse, contextOf, isSuccess, type Send } from './message.ts';
import { repetitionNote } from './url.ts';

const requireSuccess = (request: ApiRequest, response: ApiResponse): ApiResponse => {
  const { status, headers, body } = response;
  if (isSuccess(status) || status === 304) return response;
  // A URL with its version twice is a wrong `baseUrl`, and says nothing about the resource.
  if (status === 404 && request.mayBeMissing && repetitionNote(request.url) === '') return response;
  const context = contextOf(request, response);
  if (status < 400) {
    throw new RedirectRefusedError({
      ...context,
      message: 'redirect refused; check `baseUrl`, because credentials are not sent to another address',
      status,
    });
  }
  throw toApiError({
    ...context,
    ...parseErrorBody(typeof body === 'string' ? body : '', request.mask),
    status,
    note: status === 404 ? repetitionNote(request.url) : '',
    retryAfterMs: readRetryAfter(headers),
  });
};

/**
 * Throws for every response that is not a success: for an error status the class of that status (§7.1), for a redirect
 * {@link RedirectRefusedError}. A 304 is a result and passes.
 */
export const withErrors =
  (send: Send): Send =>
  (request) =>
    send(request).then((response) => requireSuccess(request, response));
