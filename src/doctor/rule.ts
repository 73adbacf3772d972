/** A numbered rule, a table row or a bullet of the conventions, as this package understands it. */
export interface Rule {
  /** The section, and a name where the conventions give no number. */
  readonly id: string;
  /** The rule in one line. */
  readonly says: string;
  /** True for what the conventions leave open: how this package reads it, on a list of its own. */
  readonly reading?: true;
  /** Why the conventions alone give nothing to test. */
  readonly nothing?: string;
}
