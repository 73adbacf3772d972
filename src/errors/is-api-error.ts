import type { ErrorStatus } from '../conventions.ts';
import {
  type ApiError,
  type BadRequestError,
  type ContentTooLargeError,
  type ForbiddenError,
  type InternalServerError,
  isApiErrorCode,
  type MethodNotAllowedError,
  type NotAcceptableError,
  type NotFoundError,
  type ServiceUnavailableError,
  type TooManyRequestsError,
  type UnauthorizedError,
  type UnsupportedMediaTypeError,
  type ValidationError,
} from './api-error.ts';
import { isRestkinError } from './restkin-error.ts';

/**
 * Statuses outside of §7.1 that servers and gateways send, so that a `switch` over `status` narrows. Others
 * occur as well.
 */
// biome-ignore format: a column of forty numbers says no more
type OtherStatus =
  | 402 | 407 | 408 | 409 | 410 | 411 | 412 | 414 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 431 | 451
  | 499 | 501 | 502 | 504 | 505 | 507 | 508 | 511 | 520 | 521 | 522 | 523 | 524;

/**
 * The errors of §7.1, and with the code `api_error` those of any other status; `status` and `code` tell them
 * apart.
 */
export type AnyApiError =
  | ApiError<'api_error', OtherStatus>
  | (BadRequestError & { readonly code: 'bad_request'; readonly status: 400 })
  | ValidationError
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | MethodNotAllowedError
  | NotAcceptableError
  | ContentTooLargeError
  | UnsupportedMediaTypeError
  | TooManyRequestsError
  | InternalServerError
  | ServiceUnavailableError;

/** The errors that may have a status. */
type WithStatus<S, E = AnyApiError> = E extends { readonly status: infer Own }
  ? S extends Own
    ? E
    : never
  : never;

interface IsApiError {
  (error: unknown): error is AnyApiError;
  /** @param status - narrows to this status alone */
  <S extends ErrorStatus>(error: unknown, status: S): error is WithStatus<S>;
  /** @param status - a status outside the conventions, such as a gateway's 502 */
  (error: unknown, status: number): error is ApiError;
}

/**
 * True for an {@link ApiError}, also one from another copy of the package.
 *
 * @see conventions §7
 * @example
 * ```ts
 * if (isApiError(error, 404)) showMissing(error.detail);
 * ```
 */
export const isApiError: IsApiError = (
  error: unknown,
  status?: unknown,
  // Given to a callback of `filter`, whose second argument is an index.
  list?: unknown,
): error is AnyApiError => {
  if (!isRestkinError(error) || !isApiErrorCode(error.code)) return false;
  const isAny = status === undefined || list !== undefined;
  return isAny || ('status' in error && error.status === status);
};

/**
 * True for a 400 or 422 that names the fields in error (§7.2), also from another copy of the package.
 *
 * @example
 * ```ts
 * if (isValidationError(error)) showAt('device.model', error.fieldErrors['device.model']);
 * ```
 */
export const isValidationError = (error: unknown): error is ValidationError =>
  isApiError(error) && error.code === 'validation_failed';
