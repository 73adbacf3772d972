// Names of a document that its program writes in another way.
import { countOf } from '../output/count.ts';

/** A name of the document, and what stands for it in the program. */
export interface Renamed {
  readonly what: 'operation' | 'path parameter' | 'schema';
  readonly from: string;
  readonly to: string;
}

/** How many names of each kind are shown. */
const mostShown = 3;

/** One line about all names that are others than in the document; empty where none is. */
export const describeRenamed = (all: readonly Renamed[]): string => {
  const kinds = (['operation', 'path parameter', 'schema'] as const).flatMap((what) => {
    const names = new Map(
      all.filter((one) => one.what === what && one.from !== one.to).map(({ from, to }) => [from, to]),
    );
    if (names.size === 0) return [];
    const shown = Array.from(names, ([from, to]) => `${from} as ${to}`).slice(0, mostShown);
    const rest = names.size > mostShown ? ', …' : '';
    return [`${countOf(names.size, what)} (${shown.join(', ')}${rest})`];
  });
  return kinds.length === 0 ? '' : `Renamed: ${kinds.join(', ')}`;
};
