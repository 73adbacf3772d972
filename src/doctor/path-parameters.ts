import { unlessJudged } from './judgement.ts';
import type { Examination } from './options.ts';
import { type CreateSubject, list, type Subject } from './subject.ts';

const mostTried = 3;

const idsIn = async (subject: Subject): Promise<readonly (string | number)[]> => {
  const records = await unlessJudged(async () => (await list(subject)).records, []);
  return records
    .flatMap(({ id }) => (typeof id === 'string' || typeof id === 'number' ? [id] : []))
    .slice(0, mostTried);
};

/**
 * The subjects of all collections, each with values for the parameters of its path: those that are given, and for
 * `companies/:companyId/orders` the id of a company that has orders. A collection whose parameters stay unknown cannot be
 * examined.
 *
 * @param plain - the subjects of the paths without parameters
 */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  plain: readonly Subject[],
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located = [...plain];
  const locate = async (key: string, path: string): Promise<Subject> => {
    const segments = path.split('/');
    const at = segments.findLastIndex((part) => part.startsWith(':') && !Object.hasOwn(given, part.slice(1)));
    if (at < 0) return create(key, given);
    const above = located.find((other) => other.path === segments.slice(0, at).join('/'));
    let subject = create(key, undefined);
    for (const id of above === undefined ? [] : await idsIn(above)) {
      subject = create(key, { ...given, ...above?.parameters, [(segments[at] ?? '').slice(1)]: id });
      if ((await idsIn(subject)).length > 0) break;
    }
    return subject;
  };
  const keys = Object.keys(api.collections);
  const others = Object.entries(api.collections).filter(([, { path }]) => path.includes(':'));
  // A shorter path first: a longer one goes through it.
  for (const [key, { path }] of others.toSorted(([, a], [, b]) => a.path.length - b.path.length))
    located.push(await locate(key, path));
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
