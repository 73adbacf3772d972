/** How a request reaches the mock, and what sends it. */
export const ways = ['msw, fetch', 'msw, client', 'HTTP, fetch', 'HTTP, client'] as const;

/** One of the four ways in which a rule is tested. */
export type Way = (typeof ways)[number];

/** A rule of the conventions, with what its tests cannot do. */
export interface Rule {
  readonly id: string;
  /** The rule in one line. */
  readonly says: string;
  /** Why the conventions alone give nothing to test. */
  readonly nothing?: string | undefined;
  /** Ways in which it cannot be tested, each with its reason. */
  readonly without?: Readonly<Partial<Record<Way, string>>>;
}
