/** How many characters have to be inserted, removed or replaced to make one name of another. */
const distanceOf = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (previous[column] ?? 0) + Number(from[row] !== to[column]);
      const removed = (previous[column + 1] ?? 0) + 1;
      const inserted = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
};

// A name of a person is short; a longer one is no misspelling.
const longestName = 100;

/**
 * The known name that a misspelt one probably means: at most a third of it differs. Undefined when there is
 * none.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > longestName) return undefined;
  let most = Math.max(1, Math.round(name.length / 3));
  let nearest: string | undefined;
  for (const other of known) {
    const distance = distanceOf(name, other);
    if (distance > most) continue;
    // Of two that are as near, the first one.
    most = distance - 1;
    nearest = other;
  }
  return nearest;
};
