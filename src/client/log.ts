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

/** Prints lines to stderr, and in a browser to its console. */
const print = ({ callId }: LogFields, line: string): void =>
  // biome-ignore lint/suspicious/noConsole: `debug` asks for it
  console[isBrowser() ? 'debug' : 'error'](`restkin ${callId}: ${line}`);

const printer: Logger = { debug: print, info: print, warn: print, error: print };

/** Not in Deno, which asks a person for the permission to read a variable. */
const hasDebugVariable = (): boolean =>
  !('Deno' in globalThis) && globalThis.process?.env?.RESTKIN_DEBUG === '1';

/** The events of a log. An attempt has a line when its response arrives, or when it is retried. */
const levels: { readonly [E in keyof AllObservers]: keyof Logger } = {
  response: 'debug',
  page: 'debug',
  token: 'info',
  retry: 'warn',
  pause: 'warn',
  deprecation: 'warn',
  validation: 'warn',
  drift: 'warn',
  error: 'error',
};

const shownOf = (value: unknown): string => {
  if (isRestkinError(value)) return value.message;
  if (typeof value === 'number') return String(Math.round(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** An event as one line: `retry method=GET url=https://... status=503`. */
const toLine = ({ event, callId: _callId, ...fields }: LogFields): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [event, ...given.map(([name, value]) => `${name}=${shownOf(value)}`)].join(' ');
};

/** An error that is not of restkin may hold a secret: only its name is shown. */
const errorOf = (error: unknown): object => {
  if (isRestkinError(error)) return { err: error };
  const { name } = Object(error) as { readonly name?: unknown };
  return { error: typeof name === 'string' && /^\w{1,40}$/.test(name) ? name : 'unknown' };
};

/** The observers that write to a logger. */
const observersOf = (logger: Logger): AllObservers =>
  Object.fromEntries(
    Object.entries(levels).map(([event, level]) => [
      event,
      (given: { readonly callId: string; readonly error?: unknown; readonly failure?: string }) => {
        const { error, ...others } = given;
        const fields = event === 'error' ? { event, ...others, ...errorOf(error) } : { event, ...given };
        return logger[given.failure === undefined ? level : 'warn'](fields, toLine(fields));
      },
    ]),
  );

/** The observers that write the logs of a client. */
export const logsOf = (logger: Logger | undefined, debug = hasDebugVariable()): readonly AllObservers[] =>
  [debug ? printer : undefined, logger].filter((each) => each !== undefined).map(observersOf);
