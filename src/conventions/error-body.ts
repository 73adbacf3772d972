/** One field in error (§2.3). */
export interface ErrorItem {
  /** Name or dotted path of the offending field. */
  readonly field: string;
  /** Machine code; `missingField` and `invalid` are known, the list is open (§7.2). */
  readonly code: ErrorItemCode | (string & {});
  /** Detail text. */
  readonly message?: string | undefined;
  /** A URI that describes the input requirements in more detail. */
  readonly reference?: string | undefined;
}

/** The error body, as on the wire (§2.3). */
export interface ErrorBody {
  readonly message: string;
  /** Only for validation failures: one item per field in error. */
  readonly errors?: readonly ErrorItem[];
}

/** Item codes that the conventions show (§7.2). */
export const errorItemCode = { missingField: 'missingField', invalid: 'invalid' } as const;
export type ErrorItemCode = keyof typeof errorItemCode;
