import { writeFile } from 'node:fs/promises';
import { runTests } from './collect.ts';
import { formatPage } from './page.ts';
import { rules } from './rules.ts';
import { findProblems } from './tests.ts';

// `npm run conformance`: runs the tests of the conventions, and writes docs/conformance.md from their results.
const tests = await runTests();
await writeFile(new URL('../../docs/conformance.md', import.meta.url), formatPage(rules, tests));
const problems = [
  ...findProblems(rules, tests),
  ...tests.filter(({ passes }) => !passes).map(({ title }) => `${title} fails`),
];
process.stdout.write(`${[...problems, `${rules.length} rules, ${tests.length} tests`].join('\n')}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
