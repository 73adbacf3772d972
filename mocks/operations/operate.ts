import { header } from '../../src/conventions.ts';
import type { CollectionRoute } from '../collections/routes.ts';
import type { Call } from '../exchange.ts';
import { get, list } from './read.ts';
import { create, remove, replace, update, updateMany } from './write.ts';

type Operate = (call: Call) => Promise<Response>;

/** What a method does at a route; undefined for a method that it does not have. */
export interface Methods {
  readonly operations: ReadonlyMap<string, Operate>;
  /** The methods, separated by commas. */
  readonly listed: string;
}

/** The methods of a collection or a resource (§4.2), from the operations that it declares. */
export const methodsAt = ({ kind, endpoint }: CollectionRoute): Methods => {
  const { operations: declared, collection } = endpoint;
  const isBulk = collection.options.bulk !== undefined;
  const possible: readonly (readonly [method: string, applies: boolean, operate: Operate])[] =
    kind === 'collection'
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
  const operations = new Map(
    possible.filter(([, applies]) => applies).map(([method, , operate]) => [method, operate]),
  );
  return { operations, listed: [...operations.keys(), 'OPTIONS'].join(', ') };
};

/** Does what the method of a request stands for; the method has been checked. */
export const operate: Operate = async (call) => {
  const { operations, listed } = methodsAt(call.route);
  const operation = operations.get(call.request.method);
  if (operation !== undefined) return operation(call);
  // The conventions list the methods in Accept, where RFC 9110 has Allow (§4.2).
  return new Response(null, { status: 200, headers: { [header.accept]: listed } });
};
