// Checks the reference that typedoc has written to docs/api: every link and picture leads to a file, and every anchor to an element.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../docs/api', import.meta.url));
const pages = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
);

const decode = (value: string): string =>
  decodeURIComponent(value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'));

const anchorsOf = new Map<string, ReadonlySet<string>>();
const hasAnchor = (path: string, anchor: string): boolean => {
  const known =
    anchorsOf.get(path) ??
    new Set([...(pages.get(path) ?? '').matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => decode(id)));
  anchorsOf.set(path, known);
  return known.has(anchor);
};

/** What is wrong with a link of a page; undefined when it is right. */
const problemOf = (page: string, link: string): string | undefined => {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? page : join(dirname(page), decode(target));
  if (!existsSync(join(root, path))) return `${page}: ${link} leads to no file`;
  const isMissing =
    anchor !== undefined && anchor !== '' && pages.has(path) && !hasAnchor(path, decode(anchor));
  return isMissing ? `${page}: ${link} leads to no element` : undefined;
};

const links = [...pages].flatMap(([page, html]) =>
  [...html.matchAll(/<(?:a|img)\s[^>]*?(?:href|src)="([^"]*)"/g)].map(
    ([, link = '']) => [page, link] as const,
  ),
);
const inside = links.filter(([, link]) => !/^[a-z]+:/i.test(link));
const problems = new Set(
  inside.map(([page, link]) => problemOf(page, link)).filter((found) => found !== undefined),
);
for (const problem of problems) console.error(problem);
console.log(
  `The reference has ${pages.size} pages with ${inside.length} links; ${problems.size} of them are broken`,
);
// Without pages, nothing was checked.
if (problems.size > 0 || pages.size < 100) process.exitCode = 1;
