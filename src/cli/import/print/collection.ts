import { createClaim, toSingular } from '../../../openapi/names.ts';
import type { Found } from '../api/api.ts';
import { isActionName } from '../api/endpoints.ts';
import { declaredNameOf, idOf } from '../api/operations.ts';
import { braces, literal, literals, memberName, members, quote } from './code.ts';
import { printEndpoint, splitExpand } from './endpoint.ts';
import { keyOf, toActionName, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import type { Program } from './program.ts';

type FoundCollection = Found['collections'][number];

/** The name of an action: that of the declaration, or what the document calls it below its collection. */
const actionNameOf = (
  { operation, path }: Found['endpoints'][number],
  collection: FoundCollection,
): string => {
  const declared = declaredNameOf(operation);
  if (declared !== undefined) return declared;
  const id = idOf(operation) ?? `${operation.method} ${path}`.toLowerCase();
  return toActionName(toCamelIdentifier(id, 'action'), collection.path, collection.key);
};

const printActions = (program: Program, collection: FoundCollection): string | undefined => {
  const { key } = collection;
  const actions = program.found.endpoints.filter((one) => one.collection === key);
  const names = actions.map((action) => actionNameOf(action, collection));
  // Such as `list`, which a collection of the client has already.
  const claimName = createClaim(names.filter((name) => !isActionName(name)));
  const printed = actions.map((action, index) => {
    const name = claimName(names[index] ?? '');
    const id = idOf(action.operation);
    // An id in camel case loses no more than the name of its collection, which needs no report.
    if (id !== undefined && id !== toCamelIdentifier(id, ''))
      program.renameOperation(action.operation, `${key}.${name}`);
    return printEndpoint(program, action, name, key);
  });
  return printed.length > 0 ? braces(printed) : undefined;
};

/** Prints a collection as a member of the `collections` of its API. */
export const printCollection = (program: Program, collection: FoundCollection): string => {
  const { api, use, declare, print, commentNote, commentLosses, ownFamilies } = program;
  const { path, key, response, options, params, repeated, bodies, notes } = collection;
  const where = `${api}.${key}`;
  // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
  const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
  const resource = declare(response, name, 'response');
  const { expand, comments } = splitExpand(program, response, options.expand, where);
  const ownBodies = bodies.map(
    ({ kind, body }) => `${kind}: ${declare(body, name + toIdentifier(kind, ''), 'body')}`,
  );
  const rest = members({
    ...literals({ ...options, expand: expand.length > 0 ? expand : undefined }),
    params: params && print(params, 'body'),
    repeated: literal(repeated),
    bodies: ownBodies.length > 0 ? braces(ownBodies) : undefined,
    actions: printActions(program, collection),
  });
  const given = [quote(path), resource, ...(rest === '{}' ? [] : [rest])].join(', ');
  const owner = ownFamilies.ownerOf(collection);
  const call = owner === undefined ? use('collection') : `${owner}.collection`;
  return [
    ...notes.map((note) => commentNote(where, note)),
    ...comments,
    ...(params === undefined ? [] : commentLosses(params, where)),
    `${memberName(key)}: ${call}(${given})`,
  ].join('\n');
};
