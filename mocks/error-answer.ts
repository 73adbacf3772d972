import type { ErrorBody, ErrorItem } from '../src/conventions/error-body.ts';
import { header, jsonType } from '../src/conventions/headers.ts';
import { type ErrorStatus, errorPhrases } from '../src/conventions/statuses.ts';
import { rememberText } from './answer-text.ts';

/** Header fields of an answer, by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** An answer of §7.1 that ends the work on a request; thrown anywhere below `respond`, which answers it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ErrorStatus;
  readonly items: readonly ErrorItem[] | undefined;
  readonly headers: HeaderFields;

  constructor(
    status: ErrorStatus,
    message: string,
    items?: readonly ErrorItem[],
    headers: HeaderFields = {},
  ) {
    super(message);
    this.status = status;
    this.items = items;
    this.headers = headers;
  }
}

/** A JSON answer (§4.3). */
export const jsonAnswer = (status: number, body: string, headers: HeaderFields = {}): Response =>
  rememberText(new Response(body, { status, headers: { [header.contentType]: jsonType, ...headers } }), body);

/** An error body has `message` always, and `errors` only for validation failures (§7.2). */
export const formatErrorBody = (message: string, items?: readonly ErrorItem[]): string => {
  const body: ErrorBody = items === undefined ? { message } : { message, errors: items };
  return JSON.stringify(body);
};

/** The answer of a refusal: its status and an error body (§2.3). */
export const refusalAnswer = ({ status, message, items, headers }: Refusal): Response =>
  jsonAnswer(status, formatErrorBody(message, items), headers);

/** The phrase of a status of §7.1, for a body that nobody gave; undefined for any other status. */
export const phraseOf = (status: number): string | undefined =>
  Object.hasOwn(errorPhrases, status)
    ? errorPhrases[status as ErrorStatus] // hasOwn has just said that it is one
    : undefined;
