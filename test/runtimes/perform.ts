import type { Case, CaseResult, Surroundings } from './case.ts';
import { callCases } from './cases/calls.ts';
import { connectionCases } from './cases/connections.ts';
import { largeCases } from './cases/large.ts';
import { loginCases } from './cases/logins.ts';
import { mockCases } from './cases/mocks.ts';
import { inTime } from './expect.ts';
import { openStage } from './stage.ts';

/** What may differ from runtime to runtime; all else is tested on one of them. */
const cases = [...loginCases, ...callCases, ...connectionCases, ...largeCases, ...mockCases];

// A case that hangs is one failure, not the end of the run.
const longestMs = 15_000;

const performOne = async (
  controlUrl: string,
  { name, stage: options = {}, needs, run }: Case,
  surroundings: Surroundings,
): Promise<CaseResult> => {
  if (needs !== undefined && surroundings[needs] === undefined) return { name, outcome: 'notThere' };
  const stage = await openStage(controlUrl, options);
  try {
    await inTime(run(stage, surroundings), longestMs);
    return { name, outcome: 'holds' };
  } catch (error) {
    return { name, outcome: 'fails', reason: String(error) };
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
  for (const one of cases) results.push(await performOne(controlUrl, one, surroundings));
  return results;
};
