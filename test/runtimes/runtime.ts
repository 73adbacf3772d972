import type { Bundles } from './bundle.ts';
import type { CaseResult } from './case.ts';

/** What a run is about. */
export interface Work {
  readonly bundles: Bundles;
  /** A folder that is removed after the run, and holds the packed package. */
  readonly folder: string;
  /** The control server. */
  readonly controlUrl: string;
}

/** A runtime of the table. */
export interface Runtime {
  readonly name: string;
  /** Runs every case; everything that was started has ended when it settles. */
  run(work: Work): Promise<readonly CaseResult[]>;
}

/** Everything on one runtime takes less, by far. */
export const longestRunMs = 60_000;
