/** A number of things in words: `1 list`, `2 lists`. */
export const countOf = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? '' : 's'}`;
