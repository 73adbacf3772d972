import { type ErrorItem, type ErrorStatus, errorPhrases, validationStatuses } from '../conventions.ts';
import { type RequestContext, RequestError } from './restkin-error.ts';

export interface ApiErrorInit extends Partial<RequestContext> {
  readonly status: number;
  /** What the server says. */
  readonly detail?: string | undefined;
  readonly body?: string | undefined;
  readonly items?: readonly ErrorItem[];
  readonly retryAfterMs?: number | undefined;
  readonly sent?: boolean | undefined;
  /** Ends the message. */
  readonly note?: string;
}

/** A status of a validation failure. */
type ValidationStatus = (typeof validationStatuses)[number];

const phrases: Readonly<Record<number, string | undefined>> = errorPhrases;

/** A status with its phrase, as messages show it. */
export const formatStatus = (status: number): string => `${status} ${phrases[status] ?? ''}`.trim();

const codeOf = (status: number): string => phrases[status]?.toLowerCase().replaceAll(' ', '_') ?? 'api_error';

const describe = ({ status, detail, retryAfterMs, sent = true, note = '' }: ApiErrorInit): string => {
  const seconds = Math.ceil((retryAfterMs ?? 0) / 1_000);
  if (!sent) return `not sent: paused for another ${seconds} s after an earlier ${status}`;
  const said = detail === undefined ? formatStatus(status) : `${formatStatus(status)}: ${detail}`;
  return (retryAfterMs === undefined ? said : `${said} (Retry-After: ${seconds} s)`) + note;
};

/**
 * The server responded with an error status (§7.1). The message names the request, the status and the
 * server's explanation; `detail` is that explanation alone, to show to a person.
 *
 * Each status of §7.1 has its own class; any other, such as a gateway's 502, is an `ApiError` with that
 * status. See {@link isApiError}.
 */
export class ApiError<
  Code extends string = string,
  Status extends number = ErrorStatus | (number & {}),
> extends RequestError {
  readonly code: Code;
  /** Status of the response: one of §7.1, or any other error status, such as a gateway's 502. */
  readonly status: Status;
  /**
   * The server's explanation: `message` of the error body (§2.3), also where it is a list, the summary of
   * problem details (RFC 9457) or of OAuth (RFC 6749), `error.message`, or the first 200 characters of a text
   * or a page. Undefined when there is none.
   */
  readonly detail: string | undefined;
  /**
   * The beginning of a body that has more than `detail` and the items of a {@link ValidationError}, or another
   * format than that of §2.3: at most 2,000 characters, with secrets masked; of an HTML page the words between
   * its tags. Undefined for any other, and for an empty one.
   */
  readonly body: string | undefined;
  /**
   * The wait that `Retry-After` asks for, or the rest of a pause after a 429, in milliseconds; undefined
   * without either.
   */
  readonly retryAfterMs: number | undefined;

  constructor(init: ApiErrorInit, code = codeOf(init.status)) {
    super(describe(init), init);
    // Each subclass declares the code and the status with which `toApiError` makes it.
    this.code = code as Code;
    this.status = init.status as Status;
    this.detail = init.detail;
    this.body = init.body;
    this.retryAfterMs = init.retryAfterMs;
  }
}

/**
 * 400: a parameter or the body is missing or invalid (§7.1). A {@link ValidationError} may also have the
 * status 422.
 */
export class BadRequestError extends ApiError<'bad_request' | 'validation_failed', ValidationStatus> {}

/** A field in error with its code, for a message. */
const nameItem = ({ field, code, message }: ErrorItem): string => {
  const name = field === '' ? 'the body' : field;
  const problem = code ?? message;
  return (problem === undefined ? name : `${name} (${problem})`).slice(0, 100);
};

/** How many fields in error a message names. */
const mostNamed = 3;

/** The first fields in error, for a message; empty without any. */
export const nameItems = (items: readonly ErrorItem[]): string => {
  const named = items.slice(0, mostNamed).map(nameItem).join(', ');
  return items.length > mostNamed ? `${named}, ${items.length - mostNamed} more` : named;
};

/**
 * 400 or 422 with the fields in error (§7.2), the first of which the message names; see
 * {@link isValidationError}.
 */
export class ValidationError extends BadRequestError {
  declare readonly code: 'validation_failed';
  /** The items as the server sent them, in its order (§2.3). */
  readonly errors: readonly ErrorItem[];

  constructor(init: ApiErrorInit) {
    super({ ...init, note: `${init.note ?? ''}: ${nameItems(init.items ?? [])}` }, 'validation_failed');
    this.errors = init.items ?? [];
  }

  /**
   * The items by dotted field path, ready for a form; undefined for a path without any. Those of the whole
   * body are at `''`.
   */
  get fieldErrors(): Readonly<Record<string, readonly ErrorItem[] | undefined>> {
    // Without a prototype, a field may be named `constructor`.
    const byField: Record<string, ErrorItem[] | undefined> = Object.create(null);
    for (const item of this.errors) {
      const items = byField[item.field];
      if (items === undefined) byField[item.field] = [item];
      else items.push(item);
    }
    return byField;
  }

  /**
   * The items of one dotted field path, or of the whole body at `''`; empty when the field is not in error.
   */
  at(path: string): readonly ErrorItem[] {
    return this.errors.filter(({ field }) => field === path);
  }
}

/** 401: no valid credentials (§5.2.9), even after the token was renewed. */
export class UnauthorizedError extends ApiError<'unauthorized', 401> {}

/** 403: authenticated, but not authorised for the operation (§5.2.9). */
export class ForbiddenError extends ApiError<'forbidden', 403> {}

/** 404: the requested resource does not exist (§7.1); see {@link Operations.find}. */
export class NotFoundError extends ApiError<'not_found', 404> {}

/** 405: the resource does not support the method (§7.1). */
export class MethodNotAllowedError extends ApiError<'method_not_allowed', 405> {}

/** 406: the client does not accept the content type of the resource (§7.1). */
export class NotAcceptableError extends ApiError<'not_acceptable', 406> {}

/** 413: a bulk body is too large, in bytes or in items (§7.1, §8). */
export class ContentTooLargeError extends ApiError<'content_too_large', 413> {}

/** 415: the server does not support the content type of the body, or any of those in `Accept` (§4.3.4). */
export class UnsupportedMediaTypeError extends ApiError<'unsupported_media_type', 415> {}

/** 429: the throttling limit is reached (§8). */
export class TooManyRequestsError extends ApiError<'too_many_requests', 429> {
  /** False when nothing was sent, because of the pause after an earlier 429. */
  readonly sent: boolean;

  constructor(init: ApiErrorInit) {
    super(init);
    this.sent = init.sent ?? true;
  }
}

/** 500: processing error (§7.1). */
export class InternalServerError extends ApiError<'internal_server_error', 500> {}

/** 503: an outage (§7.1). */
export class ServiceUnavailableError extends ApiError<'service_unavailable', 503> {}

/** One class per status of §7.1. */
const classes: Readonly<Record<number, new (init: ApiErrorInit) => ApiError>> = {
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
} satisfies Record<ErrorStatus, unknown>;

/** Makes the error of a status (§7.1); a 400 or 422 with items is a {@link ValidationError} (§7.2). */
export const toApiError = (init: ApiErrorInit): ApiError => {
  const { status, items = [] } = init;
  const mayBeInvalid = validationStatuses.some((each) => each === status);
  if (mayBeInvalid && items.length > 0) return new ValidationError(init);
  const OfStatus = classes[status] ?? ApiError;
  return new OfStatus(init);
};

/** True for the code of an {@link ApiError}. */
export const isApiErrorCode = (code: string): boolean =>
  code === 'validation_failed' ||
  code === 'api_error' ||
  Object.keys(classes).some((status) => code === codeOf(Number(status)));
