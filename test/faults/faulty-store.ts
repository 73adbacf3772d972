import type { TokenStore } from 'restkin';

export type StoreStep = 'read' | 'claim' | 'commit' | 'release';

/** `lost`: it was done, but the response did not arrive. */
export type StoreFault = 'throw' | 'hang' | 'lost' | undefined;

export interface FaultyStore extends TokenStore {
  /** What goes wrong now. */
  fault: (step: StoreStep) => StoreFault;
  /** Every step that was asked for, in order. */
  readonly steps: readonly StoreStep[];
}

interface Written {
  readonly generation: number;
  readonly claim?: unknown;
}

/** A store that fails where a test says so; what it holds, other handles to `inner` see too. */
export const createFaultyStore = (inner: TokenStore): FaultyStore => {
  const steps: StoreStep[] = [];
  const generations = new Map<string, number>();

  const stepOf = (chain: string, record: string): StoreStep => {
    const { generation, claim }: Written = JSON.parse(record);
    if (claim === undefined) return generation === generations.get(chain) ? 'release' : 'commit';
    generations.set(chain, generation);
    return 'claim';
  };

  const run = async <T>(step: StoreStep, operation: () => Promise<T>): Promise<T> => {
    steps.push(step);
    const fault = faulty.fault(step);
    if (fault === 'hang') return new Promise<never>(() => undefined);
    if (fault === 'throw') throw new Error('The store is gone');
    const result = await operation();
    if (fault === 'lost') throw new Error('The connection to the store is gone');
    return result;
  };

  const faulty: FaultyStore = {
    fault: () => undefined,
    steps,
    read: (chain) => run('read', () => inner.read(chain)),
    swap: (chain, expectedVersion, record) =>
      run(stepOf(chain, record), () => inner.swap(chain, expectedVersion, record)),
  };
  return faulty;
};
