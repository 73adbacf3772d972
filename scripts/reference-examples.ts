// Checks the reference that typedoc has written as JSON: each public name has an example, or a link to a name that has one.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A part of a comment: text, code, or a link with the id of its target. */
interface CommentPart {
  readonly kind: string;
  readonly target?: unknown;
}

interface Comment {
  readonly summary?: readonly CommentPart[];
  readonly blockTags?: readonly { readonly tag: string; readonly content: readonly CommentPart[] }[];
}

/** What is read of a reflection of typedoc: a module, a name, a member or a signature. */
export interface Reflection {
  readonly id: number;
  readonly name: string;
  readonly comment?: Comment;
  readonly children?: readonly Reflection[];
  readonly signatures?: readonly Reflection[];
}

const commentsOf = ({ comment, signatures = [] }: Reflection): readonly Comment[] =>
  [comment, ...signatures.map((signature) => signature.comment)].filter((found) => found !== undefined);

const hasOwnExample = (reflection: Reflection): boolean =>
  commentsOf(reflection).some(({ blockTags = [] }) => blockTags.some(({ tag }) => tag === '@example'));

/** True where a reader of its page finds an example: of the name, or of one of its members. */
const showsExample = (reflection: Reflection): boolean =>
  hasOwnExample(reflection) || (reflection.children ?? []).some(showsExample);

const targetsOf = (reflection: Reflection): readonly unknown[] =>
  commentsOf(reflection)
    .flatMap(({ summary = [], blockTags = [] }) => [
      ...summary,
      ...blockTags.flatMap(({ content }) => content),
    ])
    .filter(({ kind }) => kind === 'inline-tag')
    .map(({ target }) => target);

/** The public names of the entries that a reader learns of without an example, one click away at most. */
export const namesWithoutExample = (entries: readonly Reflection[]): readonly string[] => {
  // A link to a member leads to the page of the name that it belongs to.
  const withExample = new Set<unknown>();
  for (const name of entries.flatMap(({ children = [] }) => children)) {
    if (showsExample(name)) {
      for (const { id } of [name, ...(name.children ?? [])]) withExample.add(id);
    }
  }
  return entries.flatMap((entry) =>
    (entry.children ?? [])
      .filter((name) => !withExample.has(name.id) && !targetsOf(name).some((id) => withExample.has(id)))
      .map((name) => `${entry.name}: ${name.name}`),
  );
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = fileURLToPath(new URL('../node_modules/.cache/reference.json', import.meta.url));
  const { children: entries = [] }: Reflection = JSON.parse(readFileSync(path, 'utf8'));
  const missing = namesWithoutExample(entries);
  for (const name of missing) console.error(`${name} has no @example and no link to a name that has one`);
  const count = entries.reduce((sum, { children = [] }) => sum + children.length, 0);
  console.log(`${count} public names; ${missing.length} of them lead to no example`);
  // Without names, nothing was checked.
  if (missing.length > 0 || count < 200) process.exitCode = 1;
}
