import { Refusal } from './error-answer.ts';

/** Counts the resets of a mock: what happens between two of them is a run. */
export interface Run {
  count: number;
}

/**
 * Checks that a request is of the run that is now. One that was on its way when the mock was reset is of another test,
 * and leaves nothing behind in this one.
 *
 * @throws {@link Refusal} 500, which no client tries again with a write
 */
export const ensureCurrent = (run: number, world: { readonly run: Run }): void => {
  if (world.run.count !== run) {
    throw new Refusal(500, 'The mock was reset while this request was on its way');
  }
};
