import {
  InvalidRequestError,
  isApiError,
  isConnectionError,
  PagingError,
  TokenRequestError,
  UnexpectedResponseError,
  ValidationError,
} from '../index.ts';
import { Stopped, UsageError } from './errors.ts';
import { printable } from './io.ts';

/**
 * How the command ends, as `restkin --help` says. Scripts rely on these numbers, so a number keeps its
 * meaning.
 */
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

const ofStatus: Readonly<Record<number, number>> = {
  401: exitCode.authentication,
  403: exitCode.forbidden,
  404: exitCode.notFound,
  429: exitCode.rateLimit,
};

/** The number that the command ends with after an error. */
export const toExitCode = (error: unknown): number => {
  if (error instanceof Stopped) return error.exitCode;
  if (error instanceof UsageError || error instanceof InvalidRequestError) return exitCode.usage;
  const isOfToken = error instanceof TokenRequestError;
  if (isOfToken && !error.temporary) return exitCode.authentication;
  if ((isOfToken || isApiError(error)) && error.status !== undefined) {
    return error.status >= 500 ? exitCode.serverError : (ofStatus[error.status] ?? exitCode.refused);
  }
  if (isOfToken || isConnectionError(error)) return exitCode.connection;
  if (error instanceof UnexpectedResponseError || error instanceof PagingError) {
    return exitCode.unexpectedResponse;
  }
  return exitCode.failure;
};

const detailsOf = (error: unknown, hasCredentials: boolean): readonly string[] => {
  if (isApiError(error, 401)) {
    return hasCredentials
      ? ['  check --header, or RESTKIN_USERNAME and RESTKIN_PASSWORD']
      : ['  give --header "X-Api-Key: …", or set RESTKIN_USERNAME and RESTKIN_PASSWORD'];
  }
  if (error instanceof ValidationError) {
    return error.errors.map(({ field, code, message }) => `  ${field}: ${message ?? code}`);
  }
  if (error instanceof UnexpectedResponseError) {
    return error.issues.map(({ path, message }) => `  ${path || 'the body'}: ${message}`);
  }
  return [];
};

/** A message about the options of a client, in the words of the command: it is given URLs by other names. */
const withoutOptions = (message: string): string =>
  message
    .replace(/; on a page, .*$/, '')
    .replace('pass allowInsecure: true to createClient or diagnose', '--allow-insecure')
    .replace(/createClient: baseUrl|`baseUrl`/, 'the base URL')
    .replace(/tokenAuth: authUrl|`authUrl`/, 'the auth URL')
    .replace('`tokenPath`', 'RESTKIN_TOKEN_PATH');

/**
 * Describes an error in lines for a person. What the server sent is made safe for a terminal.
 *
 * @param hasCredentials - whether the command was given any
 */
export const describeError = (error: unknown, hasCredentials: boolean): string => {
  const message = error instanceof Error ? error.message : String(error);
  return [`restkin: ${withoutOptions(message)}`, ...detailsOf(error, hasCredentials)]
    .map((line) => `${printable(line)}\n`)
    .join('');
};
