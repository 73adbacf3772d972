import { jsonType } from '../conventions.ts';
import type { Wire } from '../families/wire.ts';
import { type Collection, idNameOf, keyOf } from './collection.ts';
import type { ApiDeclaration } from './define-api.ts';
import type { DeclaredEndpoint } from './endpoint.ts';

/** An endpoint of an API, or an action of one of its collections. */
export interface NamedEndpoint {
  /** Its key in the declaration. */
  readonly name: string;
  /**
   * What tells it from the others of its API: its name, that of an action below its collection:
   * `orders.cancel`.
   */
  readonly key: string;
  /**
   * The path below that of the API; of an action, with those of its collection and the id of its resource.
   */
  readonly path: string;
  readonly declared: DeclaredEndpoint;
  /** The key of the collection of an action. */
  readonly collection?: string;
  /** The name of the path parameter that addresses the resource of an action. */
  readonly idName?: string;
  /** That of the family of its API, or of the collection of an action; undefined for the conventions. */
  readonly wire: Wire | undefined;
}

/** The endpoints of an API, then the actions of its collections. */
export const endpointsOf = ({
  endpoints = {},
  collections,
  wire,
}: ApiDeclaration): readonly NamedEndpoint[] => {
  const own = Object.entries(endpoints).map(([name, declared]) => {
    return { name, key: name, path: declared.path, declared, wire };
  });
  const actions = Object.entries(collections).flatMap(([collection, of]: [string, Collection]) => {
    const { path: above, options, wire: ofCollection } = of;
    const { actions = {} } = options;
    return Object.entries(actions).map(([name, declared]) => {
      const idName = idNameOf(`${above}/${declared.path}`, keyOf(of));
      const path = `${above}/:${idName}/${declared.path}`;
      return { name, key: `${collection}.${name}`, path, declared, collection, idName, wire: ofCollection };
    });
  });
  return [...own, ...actions];
};

/** A successful response of an endpoint. */
export interface EndpointSuccess {
  /**
   * The usual status of its method (§4.2). A client takes every 2xx for a success, 202 where it is declared.
   */
  readonly status: 200 | 201 | 204;
  /** The media type of its body; undefined without one. */
  readonly type: string | undefined;
}

const usualTypes = {
  text: 'text/plain',
  bytes: 'application/octet-stream',
  response: 'application/octet-stream',
};

/** The successful response of an endpoint where the work is not done later. */
export const successOf = ({ method, options }: DeclaredEndpoint): EndpointSuccess => {
  const { accept = '', as, response } = options;
  if (as === undefined && response === undefined) return { status: 204, type: undefined };
  // The first of the accepted types, without its parameters (RFC 9110 §12.5.1).
  const [first = ''] = accept.split(/[,;]/, 1);
  const accepted = first.trim();
  const isKnown = accepted !== '' && !accepted.includes('*');
  const usual = as === undefined ? jsonType : usualTypes[as];
  const status = method === 'POST' && as === undefined ? 201 : 200;
  return { status, type: isKnown ? accepted : usual };
};
