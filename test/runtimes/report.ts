import type { CaseResult } from './case.ts';
import { type KnownLimit, knownLimits } from './known-limits.ts';

/** How the cases ended on a runtime. */
export interface RuntimeReport {
  readonly name: string;
  readonly version: string;
  readonly results: readonly CaseResult[];
}

/** The known limit that a failure is; undefined for any other result. */
export const limitOf = (
  runtime: string,
  { name, outcome, reason = '' }: CaseResult,
): KnownLimit | undefined =>
  outcome === 'fails'
    ? knownLimits.find(
        ({ runtimes, cases, shows }) =>
          runtimes.includes(runtime) && cases.includes(name) && reason.includes(shows),
      )
    : undefined;

/** The failures that nobody expects. */
export const unexpectedOf = ({ name, results }: RuntimeReport): readonly CaseResult[] =>
  results.filter((result) => result.outcome === 'fails' && limitOf(name, result) === undefined);

const titleOf = ({ name, version }: RuntimeReport): string =>
  name.startsWith('Node ') ? `Node ${version}` : `${name} ${version}`;

/** One line for a terminal. */
export const lineOf = (report: RuntimeReport, durationMs: number): string => {
  const { name, results } = report;
  const holds = results.filter(({ outcome }) => outcome === 'holds').length;
  const limits = results.filter((result) => limitOf(name, result) !== undefined).length;
  const failures = unexpectedOf(report).length;
  const counts = [
    `${holds} hold`,
    ...(limits > 0 ? [`${limits} known limit${limits > 1 ? 's' : ''}`] : []),
    ...(failures > 0 ? [`${failures} FAIL`] : []),
  ];
  return `${titleOf(report).padEnd(22)} ${(durationMs / 1000).toFixed(1).padStart(5)} s  ${counts.join(', ')}`;
};

/** What is met in this run, in the order of {@link knownLimits}. */
const metLimits = (reports: readonly RuntimeReport[]): readonly KnownLimit[] => {
  const met = new Set(reports.flatMap(({ name, results }) => results.map((one) => limitOf(name, one))));
  return knownLimits.filter((limit) => met.has(limit));
};

const cellOf = (
  { name, results }: RuntimeReport,
  caseName: string,
  limits: readonly KnownLimit[],
): string => {
  const result = results.find((one) => one.name === caseName);
  if (result === undefined || result.outcome === 'notThere') return '–';
  if (result.outcome === 'holds') return 'yes';
  const limit = limitOf(name, result);
  return limit === undefined ? '**no**' : `limit ${limits.indexOf(limit) + 1}`;
};

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The page: the same for the same results, so without times. */
export const pageOf = (reports: readonly RuntimeReport[]): string => {
  const limits = metLimits(reports);
  const names = reports[0]?.results.map(({ name }) => name) ?? [];
  return [
    '# Runtimes',
    '',
    'What restkin promises on each runtime. `npm run runtimes` runs these cases with the packed package, as a client of the',
    'mock over HTTP, and writes this page. The page of the browser is on another origin than the servers, so that its',
    'requests have preflights.',
    '',
    'A dash means that the case does not apply. A browser and workerd have no `node:sqlite` and do not listen, msw does not',
    'load in workerd, and only Deno needs the `fetch` of the production guide.',
    '',
    rowOf(['case', ...reports.map(titleOf)]),
    rowOf(['---', ...reports.map(() => '---')]),
    ...names.map((name) => rowOf([name, ...reports.map((report) => cellOf(report, name, limits))])),
    '',
    ...(limits.length > 0
      ? ['## Known limits', '', ...limits.map(({ because }, index) => `${index + 1}. ${because}`), '']
      : []),
  ].join('\n');
};
