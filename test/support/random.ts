import fc from 'fast-check';
import { isFullRun } from './runs.ts';

// Random tests draw the same values in each run, and others in a run before a release. fast-check prints the
// seed with the values that fail; `SEED=7 npx vitest run …` draws those of the seed 7.

/** The seed of all random tests. */
const seed = Number(process.env.SEED ?? (isFullRun ? Date.now() % 2 ** 31 : 1));
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be an integer, not ${process.env.SEED}`);
// Tests over samples say nothing of their seed.
if (isFullRun) process.stderr.write(`Random tests: SEED=${seed}\n`);

fc.configureGlobal({ seed });

export default fc;
