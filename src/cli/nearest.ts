/** How many single changes lead from one name to another (Levenshtein). */
const distance = (first: string, second: string): number => {
  const [from, to] = [Array.from(first), Array.from(second)];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, char] of from.entries()) {
    const next = [index + 1];
    for (const [at, other] of to.entries()) {
      const replaced = (row[at] ?? 0) + (char === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The known name that was probably meant; undefined when none is near. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(name, candidate) }))
    .filter(({ candidate, away }) => away <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.away - b.away);
  return best?.candidate;
};
