import type { Collection } from '../index.ts';
import { unlessJudged } from './judgement.ts';
import { list, type Subject } from './subject.ts';

/** Values of the parameters of a path. */
export type Parameters = Readonly<Record<string, string | number>>;

/** The subjects of an API with the values that are known for their paths. */
export interface Located {
  readonly subject: Subject;
  readonly collection: Collection;
  parameters: Parameters | undefined;
}

const mostTried = 3;

const idsIn = async (subject: Subject): Promise<readonly (string | number)[]> => {
  const records = await unlessJudged(async () => (await list(subject)).records, []);
  return records
    .flatMap(({ id }) => (typeof id === 'string' || typeof id === 'number' ? [id] : []))
    .slice(0, mostTried);
};

const hasRecords = async (subject: Subject): Promise<boolean> => (await idsIn(subject)).length > 0;

/**
 * Finds values for the parameters of paths: those that are given, and for `companies/:companyId/orders` the id of a company
 * that has orders. A collection whose parameters stay unknown cannot be examined.
 */
export const findParameters = async (all: readonly Located[], given: Parameters): Promise<void> => {
  // A shorter path first: the longer one goes through it.
  const byLength = all.toSorted((a, b) => a.collection.path.length - b.collection.path.length);
  for (const located of byLength) {
    const segments = located.collection.path.split('/');
    const known: Record<string, string | number> = {};
    for (const [index, segment] of segments.entries()) {
      if (!segment.startsWith(':')) continue;
      const name = segment.slice(1);
      if (Object.hasOwn(given, name)) {
        known[name] = given[name] as string | number;
        continue;
      }
      const above = byLength.find(({ collection }) => collection.path === segments.slice(0, index).join('/'));
      if (above?.parameters === undefined) break;
      Object.assign(known, above.parameters);
      for (const id of await idsIn(above.subject)) {
        known[name] = id;
        located.parameters = { ...known };
        if (
          segments.slice(index + 1).some((part) => part.startsWith(':')) ||
          (await hasRecords(located.subject))
        )
          break;
      }
    }
    const isComplete = segments.every((part) => !part.startsWith(':') || Object.hasOwn(known, part.slice(1)));
    located.parameters = isComplete ? { ...known } : undefined;
  }
};
