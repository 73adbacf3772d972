import type { CollectionOptions } from './collection.ts';
import type { ApiDeclaration } from './define-api.ts';
import type { DeclaredEndpoint } from './endpoint.ts';

/** An endpoint of an API, or an action of one of its collections. */
export interface NamedEndpoint {
  /** Its key in the declaration. */
  readonly name: string;
  /**
   * The path below that of the API; of an action, with those of its collection and the `:id` of its resource.
   */
  readonly path: string;
  readonly declared: DeclaredEndpoint;
  /** The key of the collection of an action. */
  readonly collection?: string;
}

/** The endpoints of an API, then the actions of its collections. */
export const endpointsOf = ({ endpoints = {}, collections }: ApiDeclaration): readonly NamedEndpoint[] => {
  const own = Object.entries(endpoints).map(([name, declared]) => ({ name, path: declared.path, declared }));
  const actions = Object.entries(collections).flatMap(([collection, { path: above, options }]) => {
    const { actions = {} }: CollectionOptions = options;
    return Object.entries(actions).map(([name, declared]) => {
      const path = `${above}/:id/${declared.path}`;
      return { name, path, declared, collection };
    });
  });
  return [...own, ...actions];
};
