import type { Exchange } from './exchange.ts';
import type { Failed, Passed, Undecided } from './finding.ts';
import type { RuleId } from './rules.ts';

/** How a check ends: the raw form of a finding. */
export type Verdict =
  | Pick<Passed, 'outcome'>
  | Pick<Undecided, 'outcome' | 'reason'>
  | (Pick<Failed, 'outcome' | 'expected' | 'found'> & { readonly exchange: Exchange | undefined });

/** Ends a check; a check that returns is a pass. */
export class Judgement extends Error {
  readonly verdict: Verdict;

  /** @param message - why the check ended */
  constructor(verdict: Verdict, message: string) {
    super(message);
    this.verdict = verdict;
  }
}

/** The rule cannot be judged here. */
export const cannotTell = (reason: string): never => {
  throw new Judgement({ outcome: 'cannotTell', reason }, reason);
};

/** The declaration does not have what the rule is about. */
export const notDeclared = (reason: string): never => {
  throw new Judgement({ outcome: 'notDeclared', reason }, reason);
};

/** The rule is broken. */
export const breaks = (exchange: Exchange, expected: string, found: string): never => {
  throw new Judgement({ outcome: 'fail', exchange, expected, found }, found);
};

/** The rule is broken unless this holds. */
export const demand = (holds: boolean, exchange: Exchange, expected: string, found: string): void => {
  if (!holds) breaks(exchange, expected, found);
};

/** The rule is broken by any other status. `when` says in which case these are expected. */
export const demandStatus = (exchange: Exchange, wanted: readonly number[], when = ''): void => {
  const { status } = exchange;
  demand(wanted.includes(status), exchange, `${wanted.join(' or ')} ${when}`.trimEnd(), `${status}`);
};

/** The rule is broken by a body. */
export const demandNoBody = (exchange: Exchange): void => {
  const { length } = exchange.body;
  demand(length === 0, exchange, 'no body', `a body of ${length} characters`);
};

/** These items if there is at least one. Without items, the rule cannot be judged. */
export const some = <T>(items: readonly T[], reason: string): readonly [T, ...T[]] =>
  isSome(items) ? items : cannotTell(reason);

const isSome = <T>(items: readonly T[]): items is readonly [T, ...T[]] => items.length > 0;

/** Judges one rule: it returns when the rule is kept, and ends by a {@link Judgement} otherwise. */
export type Check<Subject> = (subject: Subject) => Promise<void> | void;

/** The checks of one kind of subject. A rule has one check, so that a broken rule has one finding in one place. */
export type Checks<Subject> = Readonly<Partial<Record<RuleId, Check<Subject>>>>;

/** The result of some work, or the judgement that ends it. Any other error ends the diagnosis. */
export const judge = async <T>(work: () => T | Promise<T>): Promise<T | Judgement> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Judgement) return error;
    throw error;
  }
};

/** The result of some work, or `instead` where a {@link Judgement} ends it. */
export const unlessJudged = async <T>(work: () => Promise<T>, instead: T): Promise<T> => {
  const result = await judge(work);
  return result instanceof Judgement ? instead : result;
};
