import type { Rule as StatedRule } from '../../src/doctor/rules.ts';

/** How a request reaches the mock, and what sends it. */
export const ways = ['msw, fetch', 'msw, client', 'HTTP, fetch', 'HTTP, client'] as const;

/** One of the four ways in which a rule is tested. */
export type Way = (typeof ways)[number];

/** A rule, with what its tests cannot do. */
export interface Rule extends StatedRule {
  /** Ways in which it cannot be tested, each with its reason. */
  readonly without?: Readonly<Partial<Record<Way, string>>>;
}
