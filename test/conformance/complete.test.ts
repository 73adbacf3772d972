import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rules, sectionOf } from '../../src/doctor/rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The titles of the tests of the conventions. They come from `check`, `test.each` and templates, so that only
 * a run of their files makes them: the source text has no title to search for, and a reporter of the run
 * around this test sees nothing of the files that were not asked for. A second vitest lists them all in any
 * case.
 */
const listTitles = (): readonly string[] => {
  // Variables of the run around this one would tell vitest that it is a worker of it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const options = [
    '--project=fast',
    '--project=slow',
    '--no-static-parse',
    '--no-isolate',
    '--maxWorkers=1',
    '--json',
  ];
  const command = ['node_modules/vitest/vitest.mjs', 'list', 'test/conventions', ...options];
  const listed = execFileSync(process.execPath, command, { cwd: root, env, maxBuffer: 2 ** 26 });
  const tests = JSON.parse(listed.toString()) as readonly { readonly name: string }[];
  // The suites that a test stands in come before its title.
  return tests.map(({ name }) => name.slice(name.lastIndexOf(' > §') + 1).replace(/^> /, ''));
};

/**
 * The side that a title names in brackets: the responses to plain requests, or the client; undefined for
 * neither.
 */
const sideOf = (title: string): 'plain' | 'client' | undefined => {
  const [, sender] = / \[(?:HTTP, )?([^\]]+)\]$/.exec(title) ?? [];
  if (sender === undefined) return undefined;
  return sender === 'client' ? 'client' : 'plain';
};

const isAbout = (title: string, subject: string): boolean => title.startsWith(`${subject} `);

test('every rule has a test of each side, and every test names a rule', { timeout: 120_000 }, () => {
  const titles = listTitles();
  const all: readonly { readonly id: string; readonly nothing?: string | undefined }[] = rules;
  const sides = all.map(({ id }) => titles.filter((title) => isAbout(title, id)).map(sideOf));
  const complete = all.filter((_, at) => sides[at]?.includes('plain') && sides[at]?.includes('client'));
  expect(complete).toEqual(all.filter(({ nothing }) => nothing === undefined));
  expect(sides.filter((own, at) => all[at]?.nothing !== undefined && own.length > 0)).toEqual([]);
  // A test of the client alone may be about a section as a whole.
  const unknown = titles.filter((title) => {
    const isClients = sideOf(title) === undefined;
    return !all.some((rule) => isAbout(title, rule.id) || (isClients && isAbout(title, sectionOf(rule))));
  });
  expect(unknown).toEqual([]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});
