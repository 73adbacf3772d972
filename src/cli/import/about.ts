// What the operations of a document have in common: its base URL, its version, its schemes and its name.
import { tokenPath, versionPrefix } from '../../conventions.ts';
import { basePathOf } from '../../families/family.ts';
import { isConventional } from './families.ts';
import { objectAt, stringAt, stringsAt } from './json.ts';
import type { Model } from './model.ts';
import { type Operation, serversOf } from './operations.ts';

export type About = ReturnType<typeof readAbout>;

/** Reads what the API of a document is, by the newest major version of its operations. */
export const readAbout = (all: readonly Operation[], { document, family }: Model) => {
  const [server = ''] = serversOf(document);
  // A client asks for its tokens by itself (§4.1).
  const operations = all.filter(({ path }) => !path.endsWith(`/${tokenPath}`));
  const major = Math.max(0, ...operations.map((one) => one.version ?? 0));
  const { base: baseUrl = server } = operations.find((one) => one.version === major) ?? {};
  const auth = operations.map((one) => one.auth).find(({ length }) => length > 0) ?? [];
  /** Without versions, a document of the conventions is that of a family without a path in front. */
  const isBare = isConventional(family) && operations.every((one) => one.version === undefined);
  const isVersioned = family.path.includes('{version}') && !isBare;
  const tagVersion = family.path.includes('{version}') ? major : '\\d+';
  const tagPattern = new RegExp(`^(.+) ${versionPrefix}(${tagVersion}): (.+)$`);
  /** The name, the version and the collection in a tag of a document that was made from a declaration. */
  const tagOf = ({ value }: Operation): readonly string[] =>
    stringsAt(value, 'tags').flatMap((tag) => tagPattern.exec(tag)?.slice(1) ?? []);
  const title = stringAt(objectAt(document, 'info'), 'title')?.trim() || 'api';
  const [name = title, ofTag] = operations.flatMap(tagOf);
  const tagged = ofTag === undefined ? undefined : Number(ofTag);
  return {
    operations,
    name,
    major,
    /** The version that is declared; undefined where neither a path nor a tag has it. */
    version: isVersioned ? major : tagged,
    isBare,
    /** What the paths of the API start with. */
    prefix: isBare ? '' : `${basePathOf(family, major)}/`.slice(1),
    baseUrl,
    /** The schemes that it takes; empty where the document names none. */
    auth,
    isAllowed: (own: readonly string[]): boolean => own.length === 0 || own.join() === auth.join(),
    tagOf,
  };
};
