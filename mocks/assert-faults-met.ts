import type { Fault } from './fault.ts';
import { MockAssertionError } from './mock-assertion-error.ts';

const describeFault = ({ method, collection, token, status, cut, times = 1 }: Fault): string => {
  const what = status ?? (cut === undefined ? 'a change of the answer' : `cut: ${cut}`);
  const where = token === true ? 'the token endpoint' : (collection ?? 'any collection');
  return `  ${what} for ${method?.toUpperCase() ?? 'any method'} of ${where}, ${times} left`;
};

/**
 * Asserts that every fault of `mock.faults.next` was met as many times as it says.
 *
 * @throws Error named `AssertionError` that lists the faults that are still waiting for a request
 * @example
 * ```ts
 * afterEach(() => assertFaultsMet(mock));
 * ```
 */
export const assertFaultsMet = ({
  faults,
}: {
  readonly faults: { readonly waiting: readonly Fault[] };
}): void => {
  const { waiting } = faults;
  if (waiting.length === 0) return;
  throw new MockAssertionError(
    `Faults that wait for a request: ${waiting.length}\n${waiting.map(describeFault).join('\n')}`,
    waiting.length,
    0,
  );
};
