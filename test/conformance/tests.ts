import { sectionOf } from '../../src/doctor/rules.ts';

/** A rule of the conventions, as far as its tests are concerned. */
export interface Rule {
  readonly id: string;
  /** Why the conventions alone give nothing to test. */
  readonly nothing?: string | undefined;
}

/** A test of the conventions, by its title. */
export interface ConventionTest {
  readonly title: string;
  /** The id of a rule, or a section that has rules, that the title begins with; undefined when there is neither. */
  readonly subject: string | undefined;
  /** The side in brackets that it tests: the responses to plain requests, or the client; undefined without one. */
  readonly side: 'plain' | 'client' | undefined;
}

const subjectOf = (title: string, rules: readonly Rule[]): string | undefined =>
  [...rules.map(sectionOf), ...rules.map(({ id }) => id)]
    .filter((subject) => title.startsWith(`${subject} `))
    .toSorted((a, b) => b.length - a.length)[0];

const sideOf = (title: string): ConventionTest['side'] => {
  const [, sender] = / \[(?:HTTP, )?([^\]]+)\]$/.exec(title) ?? [];
  if (sender === undefined) return undefined;
  return sender === 'client' ? 'client' : 'plain';
};

/** Reads the full name of a test: the suites it stands in, then its title, joined with ` > `. */
export const readTest = (name: string, rules: readonly Rule[]): ConventionTest => {
  const parts = name.split(' > ');
  const first = parts.findLastIndex((part) => part.startsWith('§'));
  const title = parts.slice(Math.max(0, first)).join(' > ');
  return { title, subject: subjectOf(title, rules), side: sideOf(title) };
};

const problemsOf = (rule: Rule, tests: readonly ConventionTest[]): readonly string[] => {
  if (rule.nothing !== undefined) {
    return tests.length === 0 ? [] : [`${rule.id} has tests, and is listed as nothing to test`];
  }
  return (['plain', 'client'] as const)
    .filter((side) => !tests.some((test) => test.side === side))
    .map((side) => `${rule.id} has no test of the ${side} side`);
};

/** A test of the client alone may be about a section as a whole; one of both sides is about a rule. */
const namesNothing = ({ subject, side }: ConventionTest, rules: readonly Rule[]): boolean =>
  !(side === undefined && subject !== undefined) && !rules.some(({ id }) => id === subject);

/** What is missing or wrong: rules without a test of each side, and titles that name no rule. */
export const findProblems = (rules: readonly Rule[], tests: readonly ConventionTest[]): readonly string[] => [
  ...rules.flatMap((rule) =>
    problemsOf(
      rule,
      tests.filter(({ subject }) => subject === rule.id),
    ),
  ),
  ...tests.filter((test) => namesNothing(test, rules)).map(({ title }) => `"${title}" names no rule`),
];
