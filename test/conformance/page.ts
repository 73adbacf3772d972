import { sectionOf } from '../../src/doctor/rules.ts';
import { type Rule, ways } from './rule.ts';
import type { ConventionTest } from './tests.ts';

const heading = `# Conformance

Every numbered rule, table row and bullet of the conventions, with the tests that check it: their titles stand in \`test/conventions/\`.

A rule is tested in four ways: with the mock behind the handlers of msw and behind a server over HTTP, each with plain \`fetch\`
and with the client. *client* is the client alone, against responses written by hand.`;

/** For a table cell. Titles are plain text; a \`<\` would begin a tag. */
const escapeCell = (text: string): string =>
  text
    .replace(/[\\`*_[\]]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll('|', '\\|');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const formatWays = (found: readonly string[]): string =>
  ways.every((way) => found.includes(way))
    ? 'msw and HTTP, fetch and client'
    : [...new Set(found)].join('; ');

const testRows = (tests: readonly ConventionTest[]): readonly (readonly [string, string])[] =>
  [...new Set(tests.map(({ sentence }) => sentence))].toSorted().map((sentence) => {
    const same = tests.filter((test) => test.sentence === sentence);
    return [escapeCell(sentence), formatWays(same.map(({ way }) => way))];
  });

/** Rows under one name, which stands in the first of them. */
const named = (name: string, rows: readonly (readonly string[])[]): readonly string[] =>
  rows.map((cells, index) => row(index === 0 ? name : '', ...cells));

const ruleRows = (rule: Rule, tests: readonly ConventionTest[]): readonly string[] => {
  const name = `**${rule.id}** ${rule.says}`;
  if (rule.nothing !== undefined) return [row(name, `Nothing to test: ${rule.nothing}.`, '')];
  const without = Object.entries(rule.without ?? {}).map(
    ([way, reason]) => [`Not possible: ${reason}.`, way] as const,
  );
  return named(name, [...testRows(tests), ...without]);
};

const isReading = ({ reading }: Rule): boolean => reading === true;

/** The page of all rules and their tests. The same tests give the same text. */
export const formatPage = (rules: readonly Rule[], tests: readonly ConventionTest[]): string => {
  const about = (wanted: string) => tests.filter(({ subject }) => subject === wanted);
  const [readings, stated] = [rules.filter(isReading), rules.filter((rule) => !isReading(rule))];
  const sections = [...new Set(stated.map(sectionOf))];
  const tables = sections.map((section) =>
    [
      `## ${section}`,
      '',
      row('Rule', 'Test', 'Ways'),
      row('---', '---', '---'),
      ...stated
        .filter((rule) => sectionOf(rule) === section)
        .flatMap((rule) => ruleRows(rule, about(rule.id))),
      ...named(`**${section}** as a whole`, testRows(about(section))),
    ].join('\n'),
  );
  const read = [
    '## How we read what the conventions leave open',
    '',
    row('Reading', 'Test', 'Ways'),
    row('---', '---', '---'),
    ...readings.flatMap((rule) => ruleRows(rule, about(rule.id))),
  ].join('\n');
  return `${[heading, ...tables, ...(readings.length > 0 ? [read] : [])].join('\n\n')}\n`;
};
