import { header } from '../../src/conventions.ts';
import type { CollectionRoute } from '../collections/routes.ts';
import type { Call, Stage } from '../exchange.ts';
import { get, list } from './read.ts';
import { create, remove, replace, update, updateMany } from './write.ts';

/** What each method of a collection or a resource does (§4.2), from the operations that it declares. */
export const methodsAt = ({ id, endpoint }: CollectionRoute): ReadonlyMap<string, Stage<Call>> => {
  const { operations: declared, collection } = endpoint;
  const isBulk = collection.options.bulk !== undefined;
  const possible: readonly (readonly [method: string, applies: boolean, operation: Stage<Call>])[] =
    id === undefined
      ? [
          ['GET', declared.has('list'), list],
          ['POST', declared.has('create'), create],
          ['PATCH', declared.has('update') && isBulk, updateMany],
        ]
      : [
          ['GET', declared.has('get'), get],
          ['PUT', declared.has('replace'), replace],
          ['PATCH', declared.has('update'), update],
          ['DELETE', declared.has('delete'), remove],
        ];
  const methods = new Map<string, Stage<Call>>();
  for (const [method, applies, operation] of possible) if (applies) methods.set(method, operation);
  const listed = [...methods.keys(), 'OPTIONS'].join(', ');
  // The conventions list the methods in Accept, where RFC 9110 has Allow (§4.2).
  const headers = { [header.accept]: listed };
  return methods.set('OPTIONS', async () => new Response(null, { status: 200, headers }));
};
