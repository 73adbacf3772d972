// A page of the conventions in place of a number of records.

/** The greatest common divisor of two integers. */
export const greatestDivisorOf = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisorOf(other, one % other);

/**
 * The page of the conventions that begins behind so many records. Its size is that of the query where the
 * offset is a multiple of it, and else the largest one for which it is: a server may give fewer records than
 * it is asked for.
 *
 * @param offset - as it was sent
 * @param size - records per page, an integer from 1
 * @returns undefined for an offset that is no integer from 0
 */
export const pageAtOffset = (
  offset: string,
  size: number,
): { readonly page: number; readonly perPage: number } | undefined => {
  const before = Number(offset);
  if (!/^\d{1,15}$/.test(offset)) return undefined;
  const perPage = greatestDivisorOf(size, before);
  return { page: before / perPage + 1, perPage };
};
