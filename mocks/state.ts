import type { ApiDeclaration } from '../src/schema/define-api.ts';
import type { Endpoint } from './endpoints.ts';
import type { Apis, CollectionKey, MockRow } from './options.ts';
import { setTable } from './seed.ts';
import type { World } from './world.ts';

/**
 * The rows of a mock, past HTTP. A row has its `id`, a relation as `{ id }`, and no `self`, which depends on where the
 * mock is asked. Where several APIs have a collection of the same key, `api` says whose it is; without it, it is the
 * first to read and all of them to set.
 */
export interface MockState<A extends Apis = Apis> {
  /**
   * Copies of all rows, in the order they were made.
   *
   * @throws Error when there is no such collection
   */
  rows(collection: CollectionKey<A>, api?: ApiDeclaration): readonly MockRow[];
  /** A copy of the row with an id; undefined for none. */
  row(collection: CollectionKey<A>, id: string | number, api?: ApiDeclaration): MockRow | undefined;
  /**
   * Replaces the rows of a collection, until {@link Mock.reset}.
   *
   * @throws Error for a row that does not fit, or leads to a row that there is not, with collection, index and path;
   * nothing is replaced then
   */
  setRows(collection: CollectionKey<A>, rows: readonly MockRow[], api?: ApiDeclaration): void;
}

/** The state of a mock's tables. */
export const createState = ({ endpoints, clock, work, revision }: World): MockState => {
  const find = (key: string, api: ApiDeclaration | undefined): readonly [Endpoint, ...Endpoint[]] => {
    work.settle(clock.now());
    const [first, ...more] = endpoints.filter(
      (endpoint) => endpoint.key === key && (api === undefined || endpoint.api === api),
    );
    if (first === undefined) throw new Error(`There is no collection ${JSON.stringify(key)}`);
    return [first, ...more];
  };
  return {
    rows: (key, api) => [...find(key, api)[0].table.rows.values()].map(({ value }) => structuredClone(value)),
    row: (key, id, api) => {
      const row = find(key, api)[0].table.rows.get(String(id));
      return row && structuredClone(row.value);
    },
    setRows: (key, rows, api) => {
      for (const endpoint of find(key, api)) setTable(endpoint, rows, clock.now());
      revision.count += 1;
    },
  };
};
