import { sectionOf } from '../../src/doctor/rules.ts';
import type { Rule, Way } from './rule.ts';
import { ways } from './rule.ts';

/** A test of the conventions, by its title. */
export interface ConventionTest {
  /** The title as it was found. */
  readonly title: string;
  /** The id of a rule, or a section that has rules, that the title begins with; undefined when there is neither. */
  readonly subject: string | undefined;
  /** The title without its way. */
  readonly sentence: string;
  /** One of {@link ways}, another way in brackets, or `client` for a test of the client alone. */
  readonly way: string;
}

const subjectOf = (title: string, rules: readonly Rule[]): string | undefined =>
  [...rules.map(sectionOf), ...rules.map(({ id }) => id)]
    .filter((subject) => title.startsWith(`${subject} `))
    .toSorted((a, b) => b.length - a.length)[0];

const bracket = / \[([^\]]+)\]$/;

/** Reads the full name of a test: the suites it stands in, then its title, joined with ` > `. */
export const readTest = (name: string, rules: readonly Rule[]): ConventionTest => {
  const parts = name.split(' > ');
  const title = parts
    .slice(
      Math.max(
        0,
        parts.findLastIndex((part) => part.startsWith('§')),
      ),
    )
    .join(' > ');
  const subject = subjectOf(title, rules);
  return {
    title,
    subject,
    sentence: title.replace(bracket, ''),
    way: bracket.exec(title)?.[1] ?? 'client',
  };
};

const missingWays = (rule: Rule, tests: readonly ConventionTest[]): readonly Way[] =>
  ways.filter((way) => rule.without?.[way] === undefined && !tests.some((test) => test.way === way));

const problemsOf = (rule: Rule, tests: readonly ConventionTest[]): readonly string[] => {
  if (rule.nothing !== undefined) {
    return tests.length === 0 ? [] : [`${rule.id} has tests, and is listed as nothing to test`];
  }
  if (tests.length === 0) return [`${rule.id} has no test`];
  const missing = missingWays(rule, tests).map((way) => `${rule.id} has no test by [${way}]`);
  const needless = ways
    .filter((way) => rule.without?.[way] !== undefined && tests.some((test) => test.way === way))
    .map((way) => `${rule.id} has a test by [${way}], which is listed as impossible`);
  return [...missing, ...needless];
};

/** A test of the client alone may be about a section as a whole; one of the mock is about a rule. */
const namesNothing = ({ subject, way }: ConventionTest, rules: readonly Rule[]): boolean =>
  !(way === 'client' && subject !== undefined) && !rules.some(({ id }) => id === subject);

/** What is missing or wrong: rules without a test in each of the four ways, and titles that name no rule. */
export const findProblems = (rules: readonly Rule[], tests: readonly ConventionTest[]): readonly string[] => [
  ...rules.flatMap((rule) =>
    problemsOf(
      rule,
      tests.filter(({ subject }) => subject === rule.id),
    ),
  ),
  ...tests.filter((test) => namesNothing(test, rules)).map(({ title }) => `"${title}" names no rule`),
];
