import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const project = new URL('../../', import.meta.url);

const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(fileURLToPath(new URL(folder, project)), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, project), 'utf8'));

/** Sections of the conventions; those of a standard have its name before them. */
const sectionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<!(?:RFC \d+,?|Fetch) (?:§[\d.]+,? (?:and )?)*)§(\d+(?:\.\d+)*)/g)].map(
    ([, section = '']) => section,
  );

const page = readFileSync(new URL('docs/conventions.md', project), 'utf8');
const anchors = new Set([...page.matchAll(/<a id="([\d.]+)"><\/a>/g)].map(([, id = '']) => id));

test('every § in the sources, and so in every message, is a section of docs/conventions.md', () => {
  const named = new Set([...sourcesOf('src'), ...sourcesOf('mocks')].flatMap(sectionsIn));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((section) => !anchors.has(section))).toEqual([]);
});
