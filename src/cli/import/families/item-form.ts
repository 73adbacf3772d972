// Where the bodies of a document have one resource, in most responses and requests.
import { type Family, itemPathOf, type WholeFamily } from '../../../families/family.ts';
import { valueAt } from '../../../families/path.ts';
import { hasId } from '../../id-names.ts';
import { jsonResponsesOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { isOfOne } from '../api/urls.ts';
import type { Json } from '../json.ts';
import { exampleOf } from './example.ts';
import { mostOf } from './list-form.ts';
import { wrapperOf } from './own-places.ts';

/** Where the response to a call for one resource has it, where most responses have it elsewhere. */
export const itemOf = (
  document: Json,
  operations: readonly Operation[],
  family: WholeFamily,
): Pick<Family, 'item'> => {
  const usual = itemPathOf(family, 'GET');
  const item = mostOf(
    operations.flatMap((operation) => {
      const [content] = jsonResponsesOf(operation);
      if (operation.method !== 'GET' || !isOfOne(operation) || content === undefined) return [];
      const body = exampleOf(document, content.schema);
      return [usual, '', 'data'].find((path) => hasId(valueAt(body, path))) ?? [];
    }),
  );
  return item === undefined || item === usual ? {} : { item };
};

/** Where most requests have what is written, if responses have one resource at the same path. */
export const bodyOf = (
  document: Json,
  operations: readonly Operation[],
  item: Family['item'],
  { body: usual }: WholeFamily,
): Pick<Family, 'body'> => {
  const writes = operations.filter(({ method, bodies }) => method !== 'GET' && bodies.length > 0);
  const body = mostOf(writes.map((one) => wrapperOf(document, one) ?? ''));
  return body === undefined || body === '' || body === usual || body !== item ? {} : { body };
};
