import type { ErrorItem } from '../conventions/error-body.ts';
import type { ErrorStatus } from '../conventions/statuses.ts';
import {
  ApiError,
  type ApiErrorInit,
  BadRequestError,
  ContentTooLargeError,
  ForbiddenError,
  InternalServerError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './api-error.ts';

/** One class per status of §7.1. */
const classes: Readonly<Record<ErrorStatus, new (init: ApiErrorInit) => ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  406: NotAcceptableError,
  413: ContentTooLargeError,
  415: UnsupportedMediaTypeError,
  429: TooManyRequestsError,
  500: InternalServerError,
  503: ServiceUnavailableError,
};

/** An error answer as the error of its status (§7.1); a 400 with items is a {@link ValidationError} (§7.2). */
export const toApiError = (init: ApiErrorInit): ApiError => {
  if (init.status === 400 && init.items?.length) return new ValidationError(init);
  const known = Object.hasOwn(classes, init.status) ? classes[init.status as ErrorStatus] : ApiError;
  return new known(init);
};

// A hostile body must not become a hostile log line: long strings are cut, and control characters go.
const maxMessageLength = 2_000;
// A secret is recognised by its end, so this much is read beyond the cut.
const maxSecretLength = 8_192;
const maxItems = 1_000;

/** Makes a string of the server harmless. */
type Clean = (shown: string) => string;

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\0-\x1f\x7f]+/g;

/** The beginning of a string. A run without a space that reaches the cut may be a longer secret, and goes. */
const cut = (value: string): string => {
  if (value.length <= maxMessageLength + maxSecretLength) return value;
  let end = maxMessageLength + maxSecretLength;
  while (end > 0 && !/\s/.test(value.charAt(end - 1))) end--;
  return value.slice(0, end);
};

const toText = (value: unknown, clean: Clean): string | undefined =>
  typeof value === 'string'
    ? clean(cut(value)).slice(0, maxMessageLength).replace(controlCharacters, ' ')
    : undefined;

const toItem = (value: unknown, clean: Clean): ErrorItem | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { field, code, message, reference } = value as Record<string, unknown>;
  const name = toText(field, clean);
  if (name === undefined) return undefined;
  const detail = toText(message, clean);
  const link = toText(reference, clean);
  return {
    field: name,
    code: toText(code, clean) ?? 'invalid',
    ...(detail === undefined ? {} : { message: detail }),
    ...(link === undefined ? {} : { reference: link }),
  };
};

/**
 * Reads an error body (§2.3). Never throws: an HTML page or an empty body has no message and no items.
 *
 * @param mask - takes out what the server must not have echoed
 */
export const parseErrorBody = (
  body: string,
  mask: Clean = (shown) => shown,
): Pick<ApiErrorInit, 'message' | 'items'> => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const { message, errors } = value as Record<string, unknown>;
  const items = Array.isArray(errors) ? errors.slice(0, maxItems).map((item) => toItem(item, mask)) : [];
  return { message: toText(message, mask) || undefined, items: items.filter((item) => item !== undefined) };
};
