import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import { pathOf } from '../../src/schema/define-api.ts';
import { endpointsOf, type NamedEndpoint } from '../../src/schema/endpoints-of.ts';

/** The name that the id of an action's resource has among the path parameters: no declared parameter can have it. */
export const rowParameter = '~id';

/** A declared endpoint, or an action of a collection. */
export interface MockEndpoint extends NamedEndpoint {
  readonly api: ApiDeclaration;
  readonly segments: readonly string[];
}

/** The endpoints and the actions of the APIs, with their paths below the base URL. */
export const declareEndpoints = (apis: readonly ApiDeclaration[]): readonly MockEndpoint[] =>
  apis.flatMap((api) =>
    endpointsOf(api).map((named) => {
      const above = named.collection === undefined ? undefined : api.collections[named.collection];
      const path = above === undefined ? named.path : `${above.path}/:${rowParameter}/${named.declared.path}`;
      return { ...named, api, segments: pathOf(api, path).split('/') };
    }),
  );
