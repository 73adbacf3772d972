// What the operations of a document have in common: its base URL, its version, its schemes and its name.
import { tokenPath, versionPrefix } from '../../../conventions.ts';
import { basePathOf } from '../../../families/family.ts';
import { objectAt, stringAt, stringsAt } from '../json.ts';
import type { Model } from '../model.ts';
import { newestOf, type Operation } from './operations.ts';
import { serversOf } from './urls.ts';

export type About = ReturnType<typeof readAbout>;

/** The schemes that most operations take; those of the first of several. */
const usualAuth = (operations: readonly Operation[]): readonly string[] => {
  const counts = new Map<string, { readonly auth: readonly string[]; readonly count: number }>();
  for (const { auth } of operations) {
    const { count = 0 } = counts.get(auth.join()) ?? {};
    if (auth.length > 0) counts.set(auth.join(), { auth, count: count + 1 });
  }
  const [most] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  return most?.auth ?? [];
};

/** The schemes that are needed together. */
const partsOf = (alternative: string): readonly string[] => alternative.split('+');

/** What a call needs beside the scheme of a client: each scheme of the API should do for each operation. */
const notesOfAuth = (own: readonly string[], usual: readonly string[]): readonly string[] => {
  const taken = own.filter((one) => usual.includes(one));
  if (own.length === 0 || taken.length === usual.length) return [];
  if (taken.length > 0)
    return [`it takes ${taken.join(' or ')} alone, where others take ${usual.join(' or ')} (§5)`];
  const [parts = []] = own.map(partsOf).filter((all) => all.some((one) => usual.includes(one)));
  const [sent, more] = [true, false].map((isSent) => parts.filter((one) => usual.includes(one) === isSent));
  return [`it needs ${more?.join(' and ')} beside ${sent?.join(' and ')}: pass it in \`headers\``];
};

/** Reads what the API of a document is, by the newest major version of its operations. */
export const readAbout = (all: readonly Operation[], { document, family, isExport }: Model) => {
  const [server = ''] = serversOf(document);
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const { major, base: baseUrl = server } = newestOf(operations);
  const auth = usualAuth(operations);
  const usualOf = (own: readonly string[]): string | undefined =>
    own.flatMap((one) => [one, ...partsOf(one)]).find((scheme) => auth.includes(scheme));
  const isAllowed = (own: readonly string[]): boolean => own.length === 0 || usualOf(own) !== undefined;
  const isVersioned = family.path.includes('{version}');
  const tagVersion = isVersioned ? major : '\\d+';
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}(${tagVersion}): (.+)$`);
  /** The name, the version and the collection in a tag of a document that was made from a declaration. */
  const tagOf = ({ value }: Operation): readonly string[] =>
    isExport ? stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag)?.slice(1) ?? []) : [];
  const title = stringAt(objectAt(document, 'info'), 'title')?.trim() || 'api';
  const [name = title, ofTag] = operations.flatMap(tagOf);
  // The version that an API has without one in its declaration.
  const tagged = ofTag === undefined || ofTag === '1' ? undefined : Number(ofTag);
  return {
    operations: operations.map((one) => {
      const notes = isAllowed(one.auth) ? notesOfAuth(one.auth, auth) : [];
      return { ...one, notes: [...one.notes, ...notes] };
    }),
    name,
    major,
    /** The version that is declared; undefined where neither a path nor a tag has it. */
    version: isVersioned ? major : tagged,
    /** What the paths of the API start with. */
    prefix: `${basePathOf(family, major)}/`.slice(1),
    baseUrl,
    /** The schemes that it takes; empty where the document names none. */
    auth,
    /** Whether an operation with some schemes takes one of the API. */
    isAllowed,
    /** The scheme for an operation with some that is sent without the API; undefined for an open one. */
    schemeOf: (own: readonly string[]): string | undefined => usualOf(own) ?? own[0],
    tagOf,
  };
};
