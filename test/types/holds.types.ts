/** Whether two types are the same, and not only assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The compiler computes the type of the argument; the check is in the type argument. */
export const holds = <A>() => ({
  exactly: <B>(..._same: Equal<A, B> extends true ? [] : [never]) => undefined,
});
