import { readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer } from '../support/consumer.ts';

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');

/** The links of a page to others of the package: a path, and a section behind `#`. */
const linksOf = (markdown: string): readonly (readonly (string | undefined)[])[] =>
  [...withoutCode(markdown).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) =>
    target.split('#'),
  );

/** The anchors of a page: those of its headings, as npm and GitHub make them, and its own. */
const sectionsOf = (markdown: string): ReadonlySet<string> => {
  const headings = [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
  );
  return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
};

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 60_000);
afterAll(() => consumer.remove());

describe('the packed package', () => {
  test('holds the build, its declarations and the documents, nothing else', () => {
    const unexpected = consumer.files.filter(
      (path) =>
        !/^(dist\/([\w.-]+\.(js|d\.ts)|cli\.licenses\.txt)|docs\/[\w-]+\.(md|svg|jpg)|package\.json|(README|CHANGELOG|CONTRIBUTING|SECURITY|SKILL)\.md|llms\.txt|LICENSE)$/.test(
          path,
        ),
    );
    expect(unexpected).toEqual([]);
    expect(consumer.files).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/mocks.d.ts', 'LICENSE', 'SKILL.md']),
    );
  });

  test('holds everything that `files` of package.json names', async () => {
    const manifest = await readFile(join(consumer.folder, 'node_modules/restkin/package.json'), 'utf8');
    const { files } = JSON.parse(manifest) as { readonly files: readonly string[] };
    const isIn = (name: string) => (path: string) => path.startsWith(`${name}/`) || matchesGlob(path, name);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((name) => !consumer.files.some(isIn(name)))).toEqual([]);
  });

  test('has every page, picture and section that its own pages refer to', async () => {
    const pages = new Map<string, string>();
    for (const path of consumer.files.filter((file) => file.endsWith('.md')))
      pages.set(path, await readFile(join(consumer.folder, 'node_modules/restkin', path), 'utf8'));
    const links = [...pages].flatMap(([page, markdown]) =>
      linksOf(markdown).map(([path = '', section]) => ({
        page,
        path: path ? join(page, '..', path) : page,
        section,
      })),
    );
    expect(links.length).toBeGreaterThan(50);
    const broken = links.filter(
      ({ path, section }) =>
        !consumer.files.includes(path) ||
        (section !== undefined && !sectionsOf(pages.get(path) ?? '').has(section)),
    );
    expect(broken).toEqual([]);
  });

  test('its mock needs no Node in a bundle', async () => {
    await consumer.write('page.js', `import { createMock } from 'restkin/mocks'; console.log(createMock);`);
    const { metafile } = await build({
      absWorkingDir: consumer.folder,
      entryPoints: ['page.js'],
      ...{ bundle: true, format: 'esm', platform: 'browser', target: 'es2023', external: ['node:*'] },
      ...{ write: false, metafile: true, logLevel: 'silent' },
    });
    const asked = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(asked.filter((path) => path === 'node:module')).toEqual([]);
  });

  test('holds the license of every package that is bundled into the command', async () => {
    const path = join(consumer.folder, 'node_modules/restkin/dist/cli.licenses.txt');
    const licenses = await readFile(path, 'utf8');
    for (const name of ['commander', 'js-yaml', '@scalar/json-magic'])
      expect(licenses).toMatch(new RegExp(`^${name}\\n\\n`, 'm'));
  });

  /** What a file of the build imports, and what its imports import, by the pattern of an import. */
  const importsOf = async (start: string, pattern: RegExp): Promise<ReadonlySet<string>> => {
    const named = new Set<string>();
    const follow = async (file: string): Promise<void> => {
      const code = await readFile(join(consumer.folder, 'node_modules/restkin/dist', file), 'utf8');
      for (const [, from = ''] of code.matchAll(pattern)) {
        if (!from.startsWith('./')) named.add(from);
        else await follow(start.endsWith('.d.ts') ? from.slice(2).replace(/\.js$/, '.d.ts') : from.slice(2));
      }
    };
    await follow(start);
    return named;
  };

  test('its main entry imports only zod and p-retry, at once or later', async () => {
    const named = await importsOf('index.js', /(?:from|import)\s*\(?["']([^"']+)["']/g);
    expect(named).toEqual(new Set(['p-retry', 'zod/v4/core']));
  });

  test('the declarations of its main entry name no type of ky or undici', async () => {
    const named = await importsOf('index.d.ts', /(?:from|import)\s*\(?["']([^"']+)["']/g);
    expect(named).toEqual(new Set(['zod/v4/core']));
  });
});
