import type { Case, CaseResult, Surroundings } from './case.ts';
import { cases } from './cases.ts';
import { inTime } from './expect.ts';
import { openStage } from './stage.ts';

// A case that hangs is one failure, not the end of the run.
const longestMs = 15_000;

const performOne = async (
  controlUrl: string,
  { stage: options = {}, run }: Case,
  surroundings: Surroundings,
): Promise<string | undefined> => {
  const stage = await openStage(controlUrl, options);
  try {
    await inTime(run(stage, surroundings), longestMs);
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    await stage.end();
  }
};

/**
 * Runs every case, one after the other, each on a stage of its own.
 *
 * @param controlUrl - where the control server is; empty for the origin of the page
 */
export const perform = async (
  controlUrl: string,
  surroundings: Surroundings,
): Promise<readonly CaseResult[]> => {
  const results: CaseResult[] = [];
  for (const one of cases) {
    const { name, needs } = one;
    const begin = performance.now();
    if (needs !== undefined && surroundings[needs] === undefined) {
      results.push({ name, outcome: 'notThere', durationMs: 0 });
      continue;
    }
    const reason = await performOne(controlUrl, one, surroundings);
    const durationMs = performance.now() - begin;
    results.push(
      reason === undefined
        ? { name, outcome: 'holds', durationMs }
        : { name, outcome: 'fails', reason, durationMs },
    );
  }
  return results;
};
