import type { Measured } from './compare.ts';
import type { Metric, Scenario } from './scenarios.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** A table: its heading, its columns and its lines. */
export interface Table {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const formatNumber = (value: number): string =>
  Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(Math.abs(value) < 100 ? 1 : 0);

const ratio = (value: number): string => value.toFixed(2);

const formatSpread = ({ median, quartiles, extremes }: Spread, rounds: number): string => {
  // With few rounds the quartiles are the extremes, more or less.
  const [low, high] = rounds < 5 ? extremes : quartiles;
  return `${ratio(median)} (${ratio(low)}–${ratio(high)})`;
};

/** A target, and whether the median keeps to it. */
export const formatTarget = (target: number | undefined, value: number): string =>
  target === undefined ? '' : `≤ ${target} ${value <= target ? 'met' : 'missed'}`;

/** Figures of one metric: the medians, and their ratios to the reference of the same round. */
const toCells = (metric: Metric, peer: string, reference: string, measured: Measured): string[] => {
  const values = measured.get(peer)?.map((figures) => figures[metric.figure] ?? Number.NaN) ?? [];
  const others = measured.get(reference)?.map((figures) => figures[metric.figure] ?? Number.NaN) ?? [];
  const median = formatNumber(spreadOf(values).median);
  // A growth of nothing has no ratio.
  if (metric.figure === 'growthMb') return [median, '', ''];
  const ratios = spreadOf(values.map((value, round) => value / (others[round] ?? Number.NaN)));
  return [
    median,
    peer === reference ? '1' : formatSpread(ratios, values.length),
    formatTarget(metric.targets[peer], ratios.median),
  ];
};

/** One table per metric. */
export const toTables = (scenario: Scenario, measured: Measured): Table[] =>
  scenario.metrics.map((metric) => ({
    heading: `${scenario.title}: ${metric.label}`,
    columns: ['', metric.unit, `ratio to ${scenario.reference}`, 'target'],
    rows: [...measured.keys()].map((peer) => [peer, ...toCells(metric, peer, scenario.reference, measured)]),
  }));

/** A table for a terminal. */
export const toText = ({ heading, columns, rows }: Table): string => {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  return [`\n${heading}`, ...[columns, ...rows].map(line)].join('\n');
};

/** A table for a page. */
export const toMarkdown = ({ heading, columns, rows }: Table): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_column, index) => (index === 0 ? '---' : '---:'));
  return [`### ${heading}`, '', ...[columns, rule, ...rows].map(line)].join('\n');
};
