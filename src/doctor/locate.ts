import { isId } from './address.ts';
import type { Parameters } from './exchange.ts';
import { unlessJudged } from './judgement.ts';
import type { Examination } from './options.ts';
import type { CreateSubject, Subject } from './subject.ts';

/**
 * `companies` and `companyId` of `companies/:companyId/orders`: where the last unknown value of a path comes
 * from.
 */
const lastUnknown = (path: string, given: Parameters) => {
  const segments = path.split('/');
  const at = segments.findLastIndex((part) => part.startsWith(':') && !Object.hasOwn(given, part.slice(1)));
  const name = segments[at]?.slice(1);
  return name === undefined ? undefined : { name, above: segments.slice(0, at).join('/') };
};

/**
 * The subjects of all collections. `companies/:companyId/orders` gets the id of the first company, or its
 * `key`, unless one is given.
 */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located: Subject[] = [];

  const parametersOf = async (path: string): Promise<Parameters | undefined> => {
    const unknown = lastUnknown(path, given);
    if (unknown === undefined) return given;
    const above = located.find((other) => other.path === unknown.above);
    if (above?.has('list') !== true) return undefined;
    const { records } = await unlessJudged(() => above.list(), { records: [] });
    const key = records.map((record) => record[above.keyField]).find(isId);
    return key === undefined ? undefined : { ...given, ...above.parameters, [unknown.name]: key };
  };

  // Shorter paths first, because a longer one may begin with a shorter one.
  const ordered = Object.entries(api.collections).toSorted(([, a], [, b]) => a.path.length - b.path.length);
  for (const [key, { path }] of ordered) located.push(create(key, await parametersOf(path)));
  const keys = Object.keys(api.collections);
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
