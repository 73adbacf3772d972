const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
};

/** The median, and what lies between the quartiles and between the extremes. */
export interface Spread {
  readonly median: number;
  readonly quartiles: readonly [number, number];
  readonly extremes: readonly [number, number];
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: quantile(values, 0.5),
  quartiles: [quantile(values, 0.25), quantile(values, 0.75)],
  extremes: [quantile(values, 0), quantile(values, 1)],
});
