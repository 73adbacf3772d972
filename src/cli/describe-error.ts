import {
  InvalidRequestError,
  isApiError,
  isConnectionError,
  isRestkinError,
  TokenRequestError,
  UnexpectedResponseError,
  ValidationError,
} from '../index.ts';
import { printable } from './output/printable.ts';
import { UsageError } from './usage-error.ts';

const detailsOf = (error: unknown): readonly string[] => {
  if (error instanceof ValidationError) {
    return error.errors.map(({ field, code, message }) => `  ${field}: ${message ?? code}`);
  }
  if (error instanceof UnexpectedResponseError) {
    return error.issues.map(({ path, message }) => `  ${path || 'the body'}: ${message}`);
  }
  return [];
};

/** The library names its options as a program writes them; on a command line they are written otherwise. */
const toFlags = (message: string): string =>
  message
    .replace(/\b(?:baseUrl|authUrl)\b/, (name) => `--${name.replace('Url', '-url')}`)
    .replace('allowInsecure: true', '--allow-insecure');

const headOf = (error: unknown): string => {
  if (isApiError(error))
    return `${error.method} ${error.url} was answered with ${error.status}: ${error.message}`;
  if (isConnectionError(error) || error instanceof UnexpectedResponseError) {
    return `${error.method} ${error.url}: ${error.message}`;
  }
  if (error instanceof InvalidRequestError) return toFlags(error.message);
  if (error instanceof TokenRequestError) return error.message;
  if (isRestkinError(error) || error instanceof UsageError) return error.message;
  return error instanceof Error ? error.message : String(error);
};

/** An error as a person reads it. What a server said of it is made harmless to a terminal. */
export const describeError = (error: unknown): string =>
  [`restkin: ${headOf(error)}`, ...detailsOf(error)].map((line) => `${printable(line)}\n`).join('');
