// What the server of a document responds with when it has created or changed a resource.
import type { Family, WholeFamily } from '../../../families/family.ts';
import { isJson } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { isOfOne } from '../api/urls.ts';
import { mostOf } from './list-form.ts';
import type { PagedList } from './paged-lists.ts';

/** Whether an operation responds with a status and JSON. */
const respondsWith = ({ responses }: Operation, wanted: string): boolean =>
  responses.some(({ status, contents }) => status === wanted && contents.some(isJson));

/** The responses to POST, PUT and PATCH, where most of a document are others than those of its family. */
export const writeFormOf = (
  operations: readonly Operation[],
  lists: readonly PagedList[],
  { created, written }: WholeFamily,
): Pick<Family, 'created' | 'written'> => {
  const paths = new Set(lists.map(({ operation }) => operation.path));
  const creating = operations.filter(({ method, path }) => method === 'POST' && paths.has(path));
  const changing = operations.filter(
    (one) => isOfOne(one) && (one.method === 'PUT' || one.method === 'PATCH'),
  );
  const isCreatedWith200 = mostOf(creating.map((one) => respondsWith(one, '200'))) === true;
  const isReturned = mostOf(changing.map((one) => respondsWith(one, '200'))) === true;
  return {
    ...(isCreatedWith200 && !created.includes(200) && { created: [200, 201] }),
    ...(isReturned && written === 'nothing' && { written: 'resource' }),
  };
};
