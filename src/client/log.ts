import { isRestkinError } from '../errors/restkin-error.ts';
import { isBrowser } from '../http/failure.ts';
import type { AllObservers } from './observers.ts';

/** The fields of an event in a log: those that its observer gets. They hold no secret. */
export type LogFields = {
  /** The name of its observer, or `pause` or `page`. */
  readonly event: string;
  /** Identifies the call; empty when none waits. */
  readonly callId: string;
  readonly [field: string]: unknown;
};

/** What the option `logger` of {@link createClient} takes: `console`, an instance of pino, or an object of your own. */
export interface Logger {
  /** Requests and pages. */
  debug(fields: LogFields, line: string): unknown;
  /** Tokens that were renewed. */
  info(fields: LogFields, line: string): unknown;
  /** Retries, pauses, and what else is worth a look. */
  warn(fields: LogFields, line: string): unknown;
  /** Calls that failed. An error of restkin is the field `err`. */
  error(fields: LogFields, line: string): unknown;
}

const ms = (time: number): string => `${Math.round(time)} ms`;

/** Prints lines to stderr, and in a browser to its console. */
const print = ({ callId }: LogFields, line: string): void =>
  // biome-ignore lint/suspicious/noConsole: `debug` asks for it
  console[isBrowser() ? 'debug' : 'error'](`restkin ${callId}: ${line}`);

const printer: Logger = { debug: print, info: print, warn: print, error: print };

/** Not in Deno, which asks a person for the permission to read a variable. */
const hasDebugVariable = (): boolean =>
  !('Deno' in globalThis) && globalThis.process?.env?.RESTKIN_DEBUG === '1';

/** The loggers of a client. */
export const loggersOf = (logger: Logger | undefined, debug = hasDebugVariable()): readonly Logger[] => [
  ...(debug ? [printer] : []),
  ...(logger === undefined ? [] : [logger]),
];

const nameOf = (error: unknown): string => {
  const { name } = (error ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : 'an error';
};

/** The observers that write to a logger. Of an error that is not of restkin they show the name alone: it may hold a secret. */
export const observersOf = (logger: Logger): AllObservers => ({
  response: (given) => {
    const { method, url, status, durationMs } = given;
    return logger.debug({ event: 'response', ...given }, `${method} ${url} ${status} in ${ms(durationMs)}`);
  },
  retry: (given) => {
    const { method, url, error, delayMs } = given;
    return logger.warn({ event: 'retry', ...given }, `${method} ${url} ${error}, retried in ${ms(delayMs)}`);
  },
  pause: (given) =>
    logger.warn({ event: 'pause', ...given }, `429, no request is sent for ${ms(given.pauseMs)}`),
  page: (given) => {
    const { url, records } = given;
    return logger.debug({ event: 'page', ...given }, `page of ${url}: ${records} records`);
  },
  token: (given) => {
    const { reason, grant, failure = '' } = given;
    const level = grant === undefined ? 'warn' : 'info';
    return logger[level]({ event: 'token', ...given }, `token ${reason} ${grant ?? failure}`);
  },
  error: ({ callId, error }) =>
    isRestkinError(error)
      ? logger.error({ event: 'error', callId, err: error }, error.message)
      : logger.error({ event: 'error', callId, error: nameOf(error) }, `failed with ${nameOf(error)}`),
  validation: (given) => {
    const { method, url, issues } = given;
    const [{ path, message } = { path: '', message: '' }] = issues;
    const line = `${method} ${url} does not match its declaration: ${path}: ${message}`;
    return logger.warn({ event: 'validation', ...given }, line);
  },
  deprecation: (given) =>
    logger.warn({ event: 'deprecation', ...given }, `${given.api} v${given.version} is deprecated`),
  drift: (given) => {
    const line = `${given.url}: the total fell from ${given.before} to ${given.after}`;
    return logger.warn({ event: 'drift', ...given }, line);
  },
});
