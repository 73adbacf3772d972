import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import type { Context } from '../context.ts';
import type { Apis, CollectionKey, MockRow } from '../options.ts';
import type { Endpoint } from './endpoints.ts';
import { setTable } from './seed.ts';

/**
 * The rows of a mock, without HTTP. A row has its `id`, a relation as `{ id }`, and no `self`, which depends on the
 * URL of a request. Where several APIs have a collection of the same key, `api` selects one; without it, the
 * first is read and all of them are set.
 */
export interface MockState<A extends Apis = Apis> {
  /**
   * Copies of all rows, in the order they were made.
   *
   * @throws Error for an unknown collection
   */
  rows(collection: CollectionKey<A>, api?: ApiDeclaration): readonly MockRow[];
  /** A copy of the row with an id; undefined when there is none. */
  row(collection: CollectionKey<A>, id: string | number, api?: ApiDeclaration): MockRow | undefined;
  /**
   * Replaces the rows of a collection, until {@link Mock.reset}.
   *
   * @throws Error for a row that does not fit, or relates to an unknown row, with collection, index and path;
   * nothing is replaced then
   */
  setRows(collection: CollectionKey<A>, rows: readonly MockRow[], api?: ApiDeclaration): void;
}

/** The state of a mock's tables. */
export const createState = ({ endpoints, clock, work, revision }: Context): MockState => {
  const find = (key: string, api: ApiDeclaration | undefined): readonly [Endpoint, ...Endpoint[]] => {
    work.runDue(clock.now());
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
