import { header, type Operation, operationMethods } from '../../src/conventions.ts';
import { authorize } from '../auth/authorize.ts';
import { type CollectionRoute, idParameter, readParameters } from '../resources/routes.ts';
import { checkAccept } from './content.ts';
import { isDisallowed, refuseMethod } from './message.ts';
import { type Call, get, list } from './read.ts';
import { create, remove, replace, update } from './write.ts';

const operate: Readonly<Record<Operation, (call: Call) => Response | Promise<Response>>> = {
  list,
  get,
  create,
  replace,
  update,
  delete: remove,
};

const operationsAt: Readonly<Record<CollectionRoute['kind'], readonly Operation[]>> = {
  collection: ['list', 'create'],
  item: ['get', 'replace', 'update', 'delete'],
};

const findMethods = ({ kind, endpoint }: CollectionRoute): ReadonlyMap<string, Operation> =>
  new Map(
    operationsAt[kind]
      .filter((operation) => endpoint.operations.has(operation))
      .map((operation) => [operationMethods[operation], operation]),
  );

/**
 * Responds to a request to a collection or to one of its resources.
 *
 * @throws {@link Refusal} for everything but success
 */
export const respondToCollection = async (arrived: Omit<Call, 'parameters' | 'id'>): Promise<Response> => {
  const { request, route, context } = arrived;
  const { method } = request;
  const methods = findMethods(route);
  const listed = [...methods.keys(), 'OPTIONS'].join(', ');
  // A disallowed method is refused even without credentials.
  if (isDisallowed(method)) return refuseMethod(method, listed);
  context.throttle.count(method);
  const parameters = readParameters(route.encoded);
  await authorize(request, route.endpoint, context);
  const operation = methods.get(method);
  if (operation === undefined && method !== 'OPTIONS') return refuseMethod(method, listed);
  checkAccept(request);
  // The conventions list the methods in Accept, where RFC 9110 has Allow (§4.2).
  if (operation === undefined)
    return new Response(null, { status: 200, headers: { [header.accept]: listed } });
  return operate[operation]({ ...arrived, parameters, id: parameters.get(idParameter) });
};
