import { header, methodRules } from '../conventions.ts';
import { AcceptedError } from '../errors/accepted-error.ts';
import { type Issue, UnexpectedResponseError } from '../errors/response-error.ts';
import { showBody } from '../errors/to-api-error.ts';
import { isJson, parseMediaType } from '../headers/media-type.ts';
import { contextOf } from '../http/error-context.ts';
import { isConditional } from '../http/header-fields.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { shortestInOurs } from '../http/secrets.ts';
import type { Schema } from '../query/shape.ts';
import { locationOf } from './call.ts';
import { checkValue, maskIssues, type ValueCheck } from './validation.ts';

/** 202: the request passed validation and is processed asynchronously (§7.1). */
export interface Accepted {
  /** Tells the outcomes of a write apart. */
  readonly outcome: 'accepted';
  /** Absolute URL to look at, when the server gives one. */
  readonly location?: string;
}

/** 204: done, with no body (§7.1). */
export interface Done {
  /** Tells the outcomes of a write apart. */
  readonly outcome: 'done';
}

/** 304: unchanged since the value that `ifNoneMatch` or `modifiedSince` names (§7.1). */
export interface NotModified {
  /** Not for a comparison: a resource may have a field of this name, so {@link isNotModified} tells. */
  readonly outcome: 'notModified';
}

const notModified: NotModified = Object.freeze({ outcome: 'notModified' });

/**
 * True when the server accepted the work and does it later (202). A resource is never taken for it: each has an `id`
 * (§2.1).
 */
export const isAccepted = (value: unknown): value is Accepted =>
  typeof value === 'object' &&
  value !== null &&
  !Object.hasOwn(value, 'id') &&
  Object.hasOwn(value, 'outcome') &&
  (value as Accepted).outcome === 'accepted';

/** True for the answer 304 to a conditional call. */
export const isNotModified = (value: unknown): value is NotModified => value === notModified;

/** What of an answer an error needs. */
export interface Answer {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  /** How its value is checked. */
  readonly check: ValueCheck;
}

/** An error that keeps the status and the attempts of its response, and shows no secret that the server put into it. */
export const unexpected = (
  { request, response }: Pick<Answer, 'request' | 'response'>,
  message: string,
  { issues = [], body }: { readonly issues?: readonly Issue[]; readonly body?: string } = {},
) => {
  const { attempts } = response;
  const { mask } = request;
  return new UnexpectedResponseError({
    ...contextOf(request, response),
    message: mask(message, shortestInOurs),
    status: response.status,
    body: body === undefined ? body : showBody(body, mask),
    issues: maskIssues(issues, mask),
    attempts,
  });
};

const checkStatus = (answer: Answer): number => {
  const { method } = answer.request;
  const { status } = answer.response;
  const expected: readonly number[] = methodRules[method].success;
  if (expected.includes(status)) return status;
  throw unexpected(answer, `a ${method} must be answered with ${expected.join(' or ')} (§4.2)`);
};

const describe = (issues: readonly Issue[]): string => {
  const [first] = issues;
  const where = first === undefined || first.path === '' ? '' : ` at \`${first.path}\``;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `the response does not match the declaration${where}: ${first?.message}${more}`;
};

const parseJson = (answer: Answer): unknown => {
  const { headers } = answer.response;
  const body = answer.response.body as string;
  const mediaType = parseMediaType(headers.get(header.contentType));
  if (mediaType !== '' && !isJson(mediaType)) {
    throw unexpected(answer, `the response is ${mediaType} where JSON was expected`, { body });
  }
  if (body === '') throw unexpected(answer, 'the response has no body');
  try {
    return JSON.parse(body);
  } catch {
    // The parser's message quotes the body, which may hold anything.
    throw unexpected(answer, 'the body is not JSON', { body });
  }
};

/** The body of an answer, checked and decoded by a schema. */
export const toValue = async (answer: Answer, schema: Schema): Promise<unknown> => {
  const parsed = await checkValue(answer.check, schema, parseJson(answer), answer.request);
  if (parsed.ok) return parsed.value;
  throw unexpected(answer, describe(parsed.issues), { issues: parsed.issues });
};

/** The result of a 304: only a request that asked for it may get one (§7.1). */
export const toNotModified = (answer: Answer): NotModified => {
  if (isConditional(answer.request.headers)) return notModified;
  throw unexpected(answer, 'the request was not conditional (§7.1)');
};

/** The outcome of GET: the value, or {@link NotModified} for a conditional request. */
export const toReadOutcome = (answer: Answer, schema: Schema): Promise<unknown> =>
  checkStatus(answer) === 200 ? toValue(answer, schema) : Promise.resolve(toNotModified(answer));

/** The outcome of GET where a 404 says that there is none. */
export const toFoundOutcome = (answer: Answer, schema: Schema): Promise<unknown> =>
  answer.response.status === 404 ? Promise.resolve(undefined) : toReadOutcome(answer, schema);

const toAccepted = ({ request, response }: Answer): Accepted => {
  const location = locationOf(response.headers, request.url);
  return { outcome: 'accepted', ...(location === undefined ? {} : { location }) };
};

/**
 * The outcome of POST: the created resource.
 *
 * @param mayAccept - whether the declaration says that the endpoint may answer 202
 */
export const toCreateOutcome = async (
  answer: Answer,
  schema: Schema,
  mayAccept: boolean,
): Promise<unknown> => {
  if (checkStatus(answer) !== 202) return toValue(answer, schema);
  const accepted = toAccepted(answer);
  if (mayAccept) return accepted;
  const { request, response } = answer;
  throw new AcceptedError({
    ...contextOf(request, response),
    location: accepted.location && request.mask(accepted.location),
    attempts: response.attempts,
  });
};

/** The outcome of a bulk POST (§8): the created resources, in the order of the items. */
export type BulkOutcome<T> =
  | {
      readonly outcome: 'created';
      readonly data: readonly T[];
      /** The error for resources that are not those of the items; whoever has the items counts them. */
      readonly misfit: (message: string) => UnexpectedResponseError;
    }
  | { readonly outcome: 'accepted' };

/** Reads the answer to a bulk POST. */
export const toBulkOutcome = async (answer: Answer, list: Schema): Promise<BulkOutcome<unknown>> => {
  if (checkStatus(answer) === 202) return { outcome: 'accepted' };
  const data = (await toValue(answer, list)) as readonly unknown[];
  return { outcome: 'created', data, misfit: (message) => unexpected(answer, message) };
};

/** The outcome of PUT, PATCH and DELETE. A 200 says no less than a 204: it is done. */
export const toWriteOutcome = (answer: Answer): Done | Accepted => {
  const status = answer.response.status === 200 ? 204 : checkStatus(answer);
  return status === 204 ? { outcome: 'done' } : toAccepted(answer);
};

/** The methods of a URI, from the `Accept` field of the answer to OPTIONS (§4.2); `Allow` where there is none. */
export const toAllowedMethods = (answer: Answer): readonly string[] => {
  const { headers } = answer.response;
  const field = headers.get(header.accept) ?? headers.get(header.allow);
  if (field === null) throw unexpected(answer, 'the response to OPTIONS names no methods in Accept (§4.2)');
  return field
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter((method) => method !== '');
};
