import {
  InvalidCredentialsError,
  InvalidRequestError,
  isApiError,
  isConnectionError,
  PagingError,
  ReauthenticationRequiredError,
  TokenRequestError,
  UnexpectedResponseError,
  ValidationError,
} from '../index.ts';
import { Stopped, UsageError } from './errors.ts';
import { printable } from './io.ts';

/** How the command ends, as `restkin --help` says. Scripts rely on these numbers, so a number keeps its meaning. */
export const exitCode = {
  failure: 1,
  usage: 2,
  authentication: 3,
  forbidden: 4,
  notFound: 5,
  refused: 6,
  rateLimit: 7,
  serverError: 8,
  connection: 9,
  unexpectedResponse: 10,
} as const;

const codes: Readonly<Record<number, number>> = {
  401: exitCode.authentication,
  403: exitCode.forbidden,
  404: exitCode.notFound,
  429: exitCode.rateLimit,
};

const ofStatus = (status: number): number =>
  status >= 500 ? exitCode.serverError : (codes[status] ?? exitCode.refused);

const ofTokenRequest = (error: TokenRequestError): number => {
  if (error instanceof InvalidCredentialsError || error instanceof ReauthenticationRequiredError) {
    return exitCode.authentication;
  }
  const { status, temporary } = error;
  if (!temporary) return exitCode.authentication;
  return status === undefined ? exitCode.connection : ofStatus(status);
};

/** The number that the command ends with after an error. */
export const toExitCode = (error: unknown): number => {
  if (error instanceof Stopped) return error.exitCode;
  if (error instanceof UsageError || error instanceof InvalidRequestError) return exitCode.usage;
  if (isApiError(error)) return ofStatus(error.status);
  if (error instanceof TokenRequestError) return ofTokenRequest(error);
  if (isConnectionError(error)) return exitCode.connection;
  if (error instanceof UnexpectedResponseError || error instanceof PagingError) {
    return exitCode.unexpectedResponse;
  }
  return exitCode.failure;
};

const detailsOf = (error: unknown): readonly string[] => {
  if (error instanceof ValidationError) {
    return error.errors.map(({ field, code, message }) => `  ${field}: ${message ?? code}`);
  }
  if (error instanceof UnexpectedResponseError) {
    return error.issues.map(({ path, message }) => `  ${path || 'the body'}: ${message}`);
  }
  return [];
};

const headOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Describes an error in lines for a person. What the server sent is made safe for a terminal. */
export const describeError = (error: unknown): string =>
  [`restkin: ${headOf(error)}`, ...detailsOf(error)].map((line) => `${printable(line)}\n`).join('');
