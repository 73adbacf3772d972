import { createApiClient } from '../client/collection.ts';
import { createContext } from '../client/context.ts';
import type { ClientOptions } from '../client/options.ts';
import type { CheckValues } from '../client/validation.ts';
import type { ApiDeclaration } from '../index.ts';

/** The collections and the endpoints of an API, by their names: its types are known only at run time. */
export type ApiReader = Readonly<Record<string, unknown>>;

/** Checks values by their schemas, and returns them as they were sent: JSON cannot write what a codec decodes to. */
const asSent =
  (check: CheckValues): CheckValues =>
  (schema, values, isList, request) => ({ ...check(schema, values, isList, request), values });

/**
 * Creates a client of an API whose calls return the values of the wire.
 *
 * @throws `InvalidRequestError` for an invalid option, or for a scheme that the API does not take
 */
export const createApiReader = (api: ApiDeclaration, options: ClientOptions): ApiReader => {
  const context = createContext(options).forApi(api);
  return createApiClient(api, { ...context, check: asSent(context.check) }) as ApiReader;
};
