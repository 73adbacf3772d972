// Which operations of a document may be those of a collection, by the path of the collection.
import { operations as kinds } from '../../../conventions.ts';
import type { WholeFamily } from '../../../families/family.ts';
import { toPascalCase } from '../../../openapi/names.ts';
import { isConventional } from '../families/choose.ts';
import type { About } from './about.ts';
import { idOf, type Operation, type Refused } from './operations.ts';

/** Why an operation of a document that was made from a declaration belongs to no collection. */
export const declaredEndpoint = 'the declaration of the document has it as an endpoint';

const pathPattern = /^(?:(?:[\w~-][\w.~-]*|:\w+)(?:\/(?!$)|$))+$/;

/** Whether a document was made from a declaration, which has an operation as an endpoint or an action. */
const isDeclaredEndpoint = (operation: Operation, { tagOf }: About): boolean => {
  const [, , key] = tagOf(operation);
  const id = idOf(operation);
  return key !== undefined && id !== undefined && kinds.every((kind) => id !== key + toPascalCase(kind));
};

/** Why an operation belongs to no collection, whatever it does; undefined when it may. */
const refusalOf = (operation: Operation, about: About, family: WholeFamily): string | undefined => {
  const { auth: own, collection, version, base } = operation;
  // For this reason alone it cannot be an endpoint either.
  if (!about.isAllowed(own))
    return `it takes ${own.join(' or ')}, and others take ${about.auth.join(' or ')} (§5)`;
  if (version === undefined && isConventional(family))
    return 'its path has no major version, for example /v1/ (§9)';
  if (version === undefined) return `its path is not below ${family.path}/`;
  if (version !== about.major || base !== about.baseUrl) return 'its path has another major version (§9)';
  if (operation.isOnOtherServer) return 'it is on another server';
  if (isDeclaredEndpoint(operation, about)) return declaredEndpoint;
  if (pathPattern.test(collection)) return undefined;
  return 'a segment of its path is empty, or is neither a name nor a parameter';
};

/** The operations of each path of a collection, and those that belong to none. */
export const groupOperations = (
  about: About,
  family: WholeFamily,
): { readonly groups: readonly (readonly Operation[])[]; readonly refused: Refused } => {
  const groups = new Map<string, readonly Operation[]>();
  const refused = new Map<Operation, string>();
  for (const operation of about.operations) {
    const reason = refusalOf(operation, about, family);
    // Documents often give a parameter another name when a second parameter follows it.
    const shape = operation.collection.replace(/:\w+/g, ':');
    if (reason === undefined) groups.set(shape, [...(groups.get(shape) ?? []), operation]);
    else refused.set(operation, reason);
  }
  return { groups: [...groups.values()], refused };
};
