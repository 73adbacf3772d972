/** How a request reaches the mock, and what sends it. */
export const ways = ['msw, fetch', 'msw, client', 'HTTP, fetch', 'HTTP, client'] as const;

/** One of the four ways in which a rule is tested. */
export type Way = (typeof ways)[number];

/** A numbered rule, a table row or a bullet of the conventions, as this repository understands it. */
export interface Rule {
  /** The section, and a name where the conventions give no number. Titles of tests begin with it. */
  readonly id: string;
  /** The rule in one line. */
  readonly says: string;
  /** True for what the conventions leave open: how this package reads it, on a list of its own. */
  readonly reading?: true;
  /** Why there is nothing to test. */
  readonly nothing?: string;
  /** Ways in which it cannot be tested, each with its reason. */
  readonly without?: Readonly<Partial<Record<Way, string>>>;
}
