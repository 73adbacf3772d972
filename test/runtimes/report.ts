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
