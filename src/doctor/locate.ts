import { unlessJudged } from './judgement.ts';
import type { Examination } from './options.ts';
import { type CreateSubject, isId, type Subject } from './subject.ts';

const mostTried = 3;

const idsIn = async (subject: Subject): Promise<readonly (string | number)[]> => {
  if (!subject.has('list')) return [];
  const { records } = await unlessJudged(() => subject.list(), { records: [] });
  return records.flatMap(({ id }) => (isId(id) ? [id] : [])).slice(0, mostTried);
};

/** The subjects of all collections. `companies/:companyId/orders` gets the id of a company that has orders, unless one is given. */
export const locateSubjects = async (
  { api, pathParameters: given = {} }: Examination,
  create: CreateSubject,
): Promise<readonly Subject[]> => {
  const located: Subject[] = [];
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
  // Shorter paths first, because a longer one may begin with a shorter one.
  const ordered = Object.entries(api.collections).toSorted(([, a], [, b]) => a.path.length - b.path.length);
  for (const [key, { path }] of ordered) located.push(await locate(key, path));
  return located.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
};
