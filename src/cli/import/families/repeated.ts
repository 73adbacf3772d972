// Which parts of a query the lists of a document repeat: `sort=a&sort=b`.
import type { Family, WholeFamily } from '../../../families/family.ts';
import { type Json, targetOf } from '../json.ts';
import { mostOf } from './list-form.ts';
import type { PagedList } from './paged-lists.ts';

/** Whether most lists repeat a parameter; undefined where it takes no list. */
const isRepeatedIn = (
  document: Json,
  lists: readonly PagedList[],
  name: string | undefined,
): boolean | undefined => {
  const taken = lists
    .map(({ operation }) => operation.queryParameters.get(name ?? ''))
    .filter((one) => one !== undefined);
  const ofLists = taken.filter(({ schema }) => targetOf(document, schema).type === 'array');
  return mostOf(ofLists.map(({ explode }) => explode !== false));
};

/** The parts that are repeated, where most lists say otherwise than the family. */
export const repeatedOf = (
  document: Json,
  lists: readonly PagedList[],
  { query, repeated: usual }: WholeFamily,
): Pick<Family, 'repeated'> => {
  const repeated = (['sort', 'fields', 'expand'] as const).filter(
    (part) => isRepeatedIn(document, lists, query[part]) ?? usual.includes(part),
  );
  return repeated.join() === usual.join() ? {} : { repeated };
};
