import { InvalidRequestError } from '../errors/request-error.ts';
import { within } from '../http/wait.ts';

/** The store threw or did not answer; work goes on without it. */
export class StoreFailure extends Error {}

const storeTimeoutMs = 5_000;

/** Asks the store. A wrong key is the caller's mistake and is told; any other failure is the store's. */
export const ask = async <T>(operation: () => Promise<T>): Promise<T> => {
  try {
    return await within(operation(), storeTimeoutMs);
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    throw new StoreFailure();
  }
};
