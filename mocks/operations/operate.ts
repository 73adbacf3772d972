import type { CollectionRoute } from '../collections/routes.ts';
import type { Call, Stage } from '../exchange.ts';
import { get, list } from './read.ts';
import { create, remove, replace, update } from './write.ts';

/** What each method but OPTIONS does (§4.2), from the operations that a collection declares. */
export const methodsAt = ({ id, collection }: CollectionRoute): ReadonlyMap<string, Stage<Call>> => {
  const { operations: declared } = collection;
  const methods = new Map<string, Stage<Call>>();
  if (id === undefined) {
    if (declared.has('list')) methods.set('GET', list);
    if (declared.has('create')) methods.set('POST', create);
  } else {
    if (declared.has('get')) methods.set('GET', get);
    if (declared.has('replace')) methods.set('PUT', replace);
    if (declared.has('update')) methods.set('PATCH', update);
    if (declared.has('delete')) methods.set('DELETE', remove);
  }
  return methods;
};
