import { type ApiDeclaration, pathOf } from '../../src/schema/define-api.ts';
import { endpointsOf, type NamedEndpoint } from '../../src/schema/endpoints-of.ts';
import type { AnyHandler } from '../handlers.ts';
import type { MockOptions } from '../options.ts';

/** A declared endpoint, or an action of a collection. */
export interface MockEndpoint extends NamedEndpoint {
  readonly api: ApiDeclaration;
  readonly segments: readonly string[];
  readonly handler: AnyHandler | undefined;
}

/** The endpoints and the actions of the APIs, with their paths below the base URL and their handlers. */
export const declareEndpoints = (
  apis: readonly ApiDeclaration[],
  handlers: MockOptions['endpoints'] = {},
): readonly MockEndpoint[] => {
  // The keys of an API are not known here; the type of the options has checked the handlers.
  const all = handlers as Readonly<Record<string, AnyHandler | undefined>>;
  return apis.flatMap((api) =>
    endpointsOf(api).map((named) => {
      const { key, path } = named;
      const handler = Object.hasOwn(all, key) ? all[key] : undefined;
      return { ...named, api, segments: pathOf(api, path).split('/'), handler };
    }),
  );
};
