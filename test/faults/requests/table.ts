import {
  AmbiguousOutcomeError,
  ApiError,
  BadRequestError,
  ConnectionError,
  InternalServerError,
  type Method,
  NotFoundError,
  type RetryPolicy,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
} from 'restkin';
import type { Fault } from '../../support/fault-server.ts';
import { json, type Reply } from '../../support/recording-server.ts';

/** Answers that the declaration or §4.2 does not allow. */
const mismatch: Readonly<Record<Method, Reply>> = {
  GET: json({ id: 'seven' }),
  OPTIONS: { status: 200 },
  PUT: { status: 201 },
  DELETE: { status: 201 },
  POST: json({ id: 'seven' }, 201),
  PATCH: { status: 201 },
};

export const methods = ['GET', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'PATCH'] as const satisfies Method[];

/** The columns of the table in docs/production.md. */
export const columnOf = (method: Method): 0 | 1 | 2 => {
  if (method === 'GET' || method === 'OPTIONS') return 0;
  return method === 'PUT' || method === 'DELETE' ? 1 : 2;
};

/** Policies that do not wait. */
export const policies = {
  default: { baseDelayMs: 1 },
  idempotentWrites: { baseDelayMs: 1, idempotentWrites: true },
  writesAfterUnavailable: { baseDelayMs: 1, writesAfterUnavailable: true },
  none: false,
} as const satisfies Record<string, false | RetryPolicy>;

export type PolicyName = keyof typeof policies;

/** A cell of the table: always, with this policy, never. */
type Cell = 'retry' | 'idempotentWrites' | 'writesAfterUnavailable' | 'never';

type ErrorClass = abstract new (...args: never[]) => Error;

export interface Outcome {
  /** GET and OPTIONS, PUT and DELETE, POST and PATCH. */
  readonly cells: readonly [Cell, Cell, Cell];
  /** What happens to every request; undefined for a port where nothing listens. */
  readonly fault?: Fault | ((method: Method) => Fault);
  /** False: connections are dropped before anything is read. */
  readonly accepts?: boolean;
  readonly error: ErrorClass;
  /** In place of `error`, for a method that changes something. */
  readonly writeError?: ErrorClass;
  /** Requests that each attempt makes. */
  readonly perAttempt?: number;
}

const lost = {
  cells: ['retry', 'idempotentWrites', 'never'],
  error: ConnectionError,
  writeError: AmbiguousOutcomeError,
} as const;
const never = ['never', 'never', 'never'] as const;

/** The table; what is lost is lost in several phases. */
export const table: Readonly<Record<string, Outcome>> = {
  'connection refused': { cells: ['retry', 'retry', 'retry'], error: ConnectionError },
  'dropped before it was read': { ...lost, fault: 'drop', accepts: false },
  'dropped after it was read': { ...lost, fault: 'drop' },
  'half-closed without a response': { ...lost, fault: 'halfClose' },
  'reset in place of a response': { ...lost, fault: 'reset' },
  'reset inside of the response': { ...lost, fault: 'resetInBody' },
  'timed out after sending': { ...lost, fault: 'silence', error: TimeoutError },
  'timed out inside of the response': { ...lost, fault: 'drip', error: TimeoutError },
  503: {
    cells: ['retry', 'retry', 'writesAfterUnavailable'],
    fault: { status: 503 },
    error: ServiceUnavailableError,
  },
  502: { ...lost, fault: { status: 502 }, error: ApiError },
  504: { ...lost, fault: { status: 504 }, error: ApiError },
  507: { ...lost, fault: { status: 507 }, error: ApiError },
  520: { ...lost, fault: { status: 520 }, error: ApiError },
  524: { ...lost, fault: { status: 524 }, error: ApiError },
  501: { cells: never, fault: { status: 501 }, error: ApiError },
  505: { cells: never, fault: { status: 505 }, error: ApiError },
  500: { cells: ['retry', 'idempotentWrites', 'never'], fault: { status: 500 }, error: InternalServerError },
  '401 twice': { cells: never, fault: { status: 401 }, error: UnauthorizedError, perAttempt: 2 },
  400: { cells: never, fault: { status: 400 }, error: BadRequestError },
  404: { cells: never, fault: { status: 404 }, error: NotFoundError },
  'schema mismatch': { cells: never, fault: (method) => mismatch[method], error: UnexpectedResponseError },
};

const policyNames = Object.keys(policies) as PolicyName[];
export const cases = methods.flatMap((method) => policyNames.map((policy) => [method, policy] as const));
// Long enough for a request to arrive on a machine that does other things too.
export const timeoutMsOf = (fault: Outcome['fault']): number =>
  fault === 'silence' || fault === 'drip' ? 400 : 10_000;

export const attemptsOf = (cell: Cell, policy: PolicyName): number =>
  policy !== 'none' && (cell === 'retry' || cell === policy) ? 4 : 1;
