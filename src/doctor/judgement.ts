import { isObject } from '../options.ts';
import { describeStatuses, type Exchange, type Json, sentStatus } from './exchange.ts';
import type { Failed, Finding, Passed, Undecided } from './finding.ts';
import { nameOf } from './shown.ts';

type Bare<F extends Finding> = Omit<F, 'rule' | 'section' | 'says' | 'where' | 'exchange'>;

/** How a check ends: the raw form of a finding. */
export type Verdict =
  | Bare<Passed>
  | Bare<Undecided>
  | (Bare<Failed> & { readonly exchange: Exchange | undefined });

/** Ends a check; a check that returns is a pass. */
export class Judgement extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super('reason' in verdict ? verdict.reason : verdict.outcome);
    this.verdict = verdict;
  }
}

const end = (verdict: Verdict): never => {
  throw new Judgement(verdict);
};

export const cannotTell = (reason: string, lacks?: Undecided['lacks']): never =>
  end({ outcome: 'cannotTell', reason, lacks });

/** The rule cannot be judged here, because another one is broken. Its check reports the failure. */
export const blockedBy = (rule: `§${string}`): never =>
  end({ outcome: 'cannotTell', reason: `it depends on ${rule}, which is not kept here`, blockedBy: rule });

export const notDeclared = (reason: string): never => end({ outcome: 'notDeclared', reason });

/**
 * `fatal`: the client fails where the server breaks the rule like this, or takes part of a list for all of
 * it.
 */
export type Weight = 'fatal' | 'minor';

export const breaks = (
  exchange: Exchange | undefined,
  expected: string,
  found: string,
  weight: Weight = 'minor',
): never => end({ outcome: 'fail', isFatal: weight === 'fatal', exchange, expected, found });

export const demand = (
  holds: boolean,
  exchange: Exchange,
  expected: string,
  found: string,
  weight?: Weight,
): void => {
  if (!holds) breaks(exchange, expected, found, weight);
};

/** What was found in place of a value, which may be a secret. */
export const described = (value: unknown): string => (value === undefined ? 'nothing' : 'another value');

/** The rule is broken by any other status. `when` says in which case these are expected. */
export const demandStatus = (
  exchange: Exchange,
  wanted: readonly number[],
  when = '',
  weight?: Weight,
): void => {
  const expected = `${describeStatuses(exchange, wanted)} ${when}`.trimEnd();
  demand(wanted.includes(exchange.status), exchange, expected, `${sentStatus(exchange)}`, weight);
};

export const demandNoBody = (exchange: Exchange): void =>
  demand(exchange.body === '', exchange, 'no body', `a body of ${exchange.body.length} characters`);

/** Input that is invalid must be refused (§7.1): another 4xx than 400 is judged by §7.2.1. */
export const demandRefusal = (exchange: Exchange, what: string): void => {
  const { status } = exchange;
  if (status >= 500) blockedBy('§7.1 500');
  const expected = `${describeStatuses(exchange, [400])} for ${what}`;
  demand(status >= 400, exchange, expected, `${sentStatus(exchange)}`);
  if (status !== 400) blockedBy('§7.2.1');
};

/** These items; without any, the rule cannot be judged. */
export const some = <T>([first, ...more]: readonly T[], reason: string): readonly [T, ...T[]] =>
  first === undefined ? cannotTell(reason) : [first, ...more];

export const judge = async <T>(work: () => T | Promise<T>): Promise<T | Judgement> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Judgement) return error;
    throw error;
  }
};

export const unlessJudged = async <T, U>(work: () => Promise<T>, instead: U): Promise<T | U> => {
  const result = await judge(work);
  return result instanceof Judgement ? instead : result;
};

/** Ends the check where a response is not a 200 with JSON: another rule judges that. */
export const requireSuccess = (exchange: Exchange): Exchange => {
  const { request, status, json } = exchange;
  if (status === 403) return cannotTell(`${nameOf(request)} got 403: this user may not read it`);
  if (status !== 200) return cannotTell(`${nameOf(request)} got ${sentStatus(exchange)}`);
  return json === undefined ? cannotTell(`the response to ${nameOf(request)} is not JSON`) : exchange;
};

export interface Listed {
  readonly exchange: Exchange;
  readonly records: readonly Json[];
}

export const recordsOf = (exchange: Exchange): Listed => {
  const { request, json } = requireSuccess(exchange);
  if (Array.isArray(json) && json.every(isObject)) return { exchange, records: json };
  return cannotTell(`the response to ${nameOf(request)} is not an array of resources`);
};
