import { isRestkinError } from '../errors/restkin-error.ts';
import { isBrowser } from '../runtime.ts';

/** The name of an observer, or `pause` or `page`, and the fields of its event. They hold no secret. */
type LogFields = { readonly event: string; readonly callId: string; readonly [field: string]: unknown };

/**
 * What the option `logger` of {@link createClient} takes: `console`, an instance of pino, or an object of
 * your own.
 */
export interface Logger {
  /** Requests, pages, and calls that their caller aborted. */
  debug(fields: LogFields, message: string): unknown;
  /** Tokens that were renewed. */
  info(fields: LogFields, message: string): unknown;
  /** Retries, pauses, and what else is worth a look. */
  warn(fields: LogFields, message: string): unknown;
  /** Calls that failed. An error of restkin is the field `err`. */
  error(fields: LogFields, message: string): unknown;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const satisfies readonly (keyof Logger)[];

/** The events of calls that succeed. */
const usual: readonly string[] = ['request', 'response', 'page'];

/**
 * @param grant - that of a token event; without one, the login waits, has ended, or its store failed
 * @param aborted - true for a call that its caller aborted, which is no failure
 */
const levelOf = (event: string, grant: unknown, aborted: unknown): keyof Logger => {
  if (aborted || usual.includes(event)) return 'debug';
  if (event === 'error') return 'error';
  return grant === undefined ? 'warn' : 'info';
};

const print = (line: string): void => {
  // biome-ignore lint/suspicious/noConsole: `debug` asks for it
  console[isBrowser() ? 'debug' : 'error']('restkin', line);
};

/**
 * Writes events to a logger, and with `debug` as JSON to stderr or the console of a browser; undefined
 * without either.
 */
export const createLog = (
  logger: Logger | undefined,
  // Deno asks a person for the permission to read a variable.
  debug = !('Deno' in globalThis) && globalThis.process?.env?.RESTKIN_DEBUG === '1',
) => {
  if (!debug && logger === undefined) return undefined;
  return (event: string, given: { readonly callId: string; readonly [field: string]: unknown }) => {
    const { callId, error, grant, aborted } = given;
    // An error that is not of restkin may hold a secret: only its name is shown.
    const err = isRestkinError(error) ? error : (error as Error | undefined)?.name;
    const fields = event === 'error' ? { event, callId, err } : { event, ...given };
    if (debug) print(JSON.stringify(fields));
    return logger?.[levelOf(event, grant, aborted)](fields, event);
  };
};
