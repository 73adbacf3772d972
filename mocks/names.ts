import { listSeparator, pathSeparator } from '../src/conventions/parameters.ts';

/** Dotted paths as a tree (§2.1). */
export interface Names {
  /** True where a path ends: all that is below is meant. */
  readonly whole: boolean;
  readonly below: ReadonlyMap<string, Names>;
}

interface GrowingNames {
  whole: boolean;
  readonly below: Map<string, GrowingNames>;
}

/** No names. */
export const noNames: Names = { whole: false, below: new Map() };

/** The names of a comma-separated list (§4.4). */
export const splitNames = (text: string): readonly string[] => text.split(listSeparator);

/** Joins dotted paths to a tree. */
export const toNames = (paths: readonly string[]): Names => {
  const root: GrowingNames = { whole: false, below: new Map() };
  for (const path of paths) {
    let at = root;
    for (const name of path.split(pathSeparator)) {
      const next: GrowingNames = at.below.get(name) ?? { whole: false, below: new Map() };
      at.below.set(name, next);
      at = next;
    }
    at.whole = true;
  }
  return root;
};
