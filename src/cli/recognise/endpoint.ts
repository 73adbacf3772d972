// A list of records without an `id`, which is no collection.
import type { QueryNames, WholeFamily } from '../../families/family.ts';
import { cursorParameterOf, placeParameterOf } from '../../families/list-form.ts';
import type { SeenResponses } from './observe.ts';
import type { Proof } from './proof.ts';
import type { Unnumbered } from './unnumbered.ts';

/** A list that is read page by page. */
export interface SeenEndpoint {
  /** The pages that were seen. */
  readonly bodies: readonly unknown[];
  /** The parameters that were seen to lead to another page, or to change its size. */
  readonly pageParameters: readonly { readonly name: string; readonly type: 'integer' | 'string' }[];
}

/** @param names - of the page and its size, of which one may have had no effect */
export const toSeenEndpoint = (
  responses: SeenResponses,
  { list }: WholeFamily,
  names: QueryNames,
  { isOther, isOne }: Proof,
  unnumbered: Unnumbered | undefined,
): SeenEndpoint => {
  const page = unnumbered ? placeParameterOf(list) : isOther ? names.page : undefined;
  const size = unnumbered ? unnumbered.query.perPage : isOne ? names.perPage : undefined;
  const type = cursorParameterOf(list) === undefined ? 'integer' : 'string';
  return {
    bodies: responses.map(({ body }) => body),
    pageParameters: [
      ...(page === undefined ? [] : [{ name: page, type } as const]),
      ...(size === undefined ? [] : [{ name: size, type: 'integer' } as const]),
    ],
  };
};
