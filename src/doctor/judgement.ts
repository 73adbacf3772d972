import type { Exchange } from './exchange.ts';
import type { RuleId } from './rules.ts';

/** Why a check ended without a pass. */
export type Verdict =
  | { readonly outcome: 'cannotTell' | 'notDeclared'; readonly reason: string }
  | {
      readonly outcome: 'fail';
      /** Undefined where nothing came back. */
      readonly exchange: Exchange | undefined;
      readonly expected: string;
      readonly found: string;
    };

/** Ends a check; a check that returns is a pass. */
export class Judgement extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.outcome);
    this.verdict = verdict;
  }
}

/** The rule cannot be judged here. */
export const cannotTell = (reason: string): never => {
  throw new Judgement({ outcome: 'cannotTell', reason });
};

/** The declaration does not have what the rule is about. */
export const notDeclared = (reason: string): never => {
  throw new Judgement({ outcome: 'notDeclared', reason });
};

/** The rule is broken. */
export const breaks = (exchange: Exchange, expected: string, found: string): never => {
  throw new Judgement({ outcome: 'fail', exchange, expected, found });
};

/** The rule is broken unless this holds. */
export const demand = (
  holds: boolean,
  exchange: Exchange,
  expected: string,
  found: string | (() => string),
): void => {
  if (!holds) breaks(exchange, expected, typeof found === 'string' ? found : found());
};

/** The rule is broken by any other status than these; `when` says where they are demanded. */
export const demandStatus = (exchange: Exchange, wanted: readonly number[], when = ''): void =>
  demand(
    wanted.includes(exchange.status),
    exchange,
    `${wanted.join(' or ')} ${when}`.trimEnd(),
    String(exchange.status),
  );

/** The rule is broken by a body. */
export const demandNoBody = (exchange: Exchange): void => {
  const { length } = exchange.body;
  demand(length === 0, exchange, 'no body', `a body of ${length} characters`);
};

/** Judges one rule: it returns when the rule is kept, and ends by a {@link Judgement} otherwise. */
export type Check<Subject> = (subject: Subject) => Promise<void> | void;

/** The checks of one kind of subject. A rule has one check, so that a broken rule has one finding in one place. */
export type Checks<Subject> = Readonly<Partial<Record<RuleId, Check<Subject>>>>;

/** The verdict that ends some work; undefined for a pass. Any other error than a {@link Judgement} ends the diagnosis. */
export const verdictOf = async (work: () => Promise<void> | void): Promise<Verdict | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Judgement) return error.verdict;
    throw error;
  }
};

/** The result of some work, or `instead` where a {@link Judgement} ends it. */
export const unlessJudged = async <T>(work: () => Promise<T>, instead: T): Promise<T> => {
  let result = instead;
  await verdictOf(async () => {
    result = await work();
  });
  return result;
};
