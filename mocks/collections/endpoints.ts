import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import { pathOf } from '../../src/schema/define-api.ts';
import { endpointsOf, type NamedEndpoint } from '../../src/schema/endpoints-of.ts';
import type { AnyHandler } from '../handlers.ts';
import type { MockOptions } from '../options.ts';

/**
 * The name that the id of an action's resource has among the path parameters: no declared parameter can have
 * it.
 */
export const rowParameter = '~id';

/** A declared endpoint, or an action of a collection. */
export interface MockEndpoint extends NamedEndpoint {
  readonly api: ApiDeclaration;
  readonly segments: readonly string[];
  /** Its name, that of an action below its collection: `orders.cancel`. */
  readonly key: string;
  readonly handler: AnyHandler | undefined;
}

/** The endpoints and the actions of the APIs, with their paths below the base URL and their handlers. */
export const declareEndpoints = (
  apis: readonly ApiDeclaration[],
  handlers: MockOptions['endpoints'] = {},
): readonly MockEndpoint[] =>
  apis.flatMap((api) =>
    endpointsOf(api).map((named) => {
      const above = named.collection === undefined ? undefined : api.collections[named.collection];
      const path = above === undefined ? named.path : `${above.path}/:${rowParameter}/${named.declared.path}`;
      const key = named.collection === undefined ? named.name : `${named.collection}.${named.name}`;
      // The keys of an API are not known here; the type of the options has checked the handlers.
      const all = handlers as Readonly<Record<string, AnyHandler | undefined>>;
      const handler = Object.hasOwn(all, key) ? all[key] : undefined;
      return { ...named, api, segments: pathOf(api, path).split('/'), key, handler };
    }),
  );
