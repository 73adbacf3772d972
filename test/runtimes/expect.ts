const write = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** Throws unless both values are the same as JSON. */
export const expectEqual = (actual: unknown, expected: unknown, what: string): void => {
  if (write(actual) !== write(expected)) {
    throw new Error(`${what}: expected ${write(expected)}, got ${write(actual)}`);
  }
};

/** Throws unless something is true. */
export function expectTrue(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** What a promise is rejected with; throws when that is not an instance of the class. */
export const rejectionAs = async <E extends Error>(
  type: ErrorClass<E>,
  promise: PromiseLike<unknown>,
): Promise<E> => {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (error instanceof type) return error;
    throw new Error(`Expected ${type.name}, got ${String(error)}`);
  }
  throw new Error(`Expected ${type.name}, got the result ${write(value)}`);
};

/** Waits until something is true, a short time at the most. */
export const eventually = async (isTrue: () => Promise<boolean>): Promise<boolean> => {
  for (let round = 0; round < 100; round++) {
    if (await isTrue()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
};

/** What a promise gives, or an error when that takes longer; whatever it does then goes on by itself. */
export const inTime = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
