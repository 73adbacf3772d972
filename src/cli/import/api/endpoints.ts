// Which of the operations that belong to no collection are declared, as endpoints or as actions of one.
import { itemPathOf, type WholeFamily } from '../../../families/family.ts';
import { type ApiDeclaration, collection, defineApi, endpoint, resource } from '../../../index.ts';
import { schemaAt } from '../json.ts';
import type { Model } from '../model.ts';
import { toPathName } from '../print/identifiers.ts';
import type { Schema } from '../schemas/schema.ts';
import type { About } from './about.ts';
import { jsonResponsesOf } from './contents.ts';
import { withoutLimited } from './fitting.ts';
import { keyFieldOf } from './key.ts';
import type { Operation } from './operations.ts';

/** A collection that may have actions. */
interface Owner {
  readonly key: string;
  readonly family: WholeFamily;
  readonly path: string;
  readonly response: Schema;
  readonly options: { readonly key: string | undefined };
}

/** Where an operation is declared: below its API, or below one resource of a collection. */
export interface Place {
  readonly path: string;
  /** The key of the collection of an action. */
  readonly collection: string | undefined;
}

const parameter = /^(?::\w+|\{[^{}]+\})$/;

/**
 * A path of the document with `:name` for a parameter. Documents also have names that are no names in a
 * declaration.
 */
const toPath = (path: string, ending: string): string =>
  path.replace(/(?<=^|\/)\{([^{}]+)\}(?=\/|$)/g, (_, name: string) => {
    return `:${toPathName(name)}${ending}`;
  });

/** Whether an API can have some collections and endpoints: what decides is the declaration itself. */
const isPossible = (declare: () => Pick<ApiDeclaration, 'collections' | 'endpoints'>): boolean => {
  try {
    defineApi({ name: 'imported', version: 1, auth: 'custom', ...declare() });
    return true;
  } catch {
    return false;
  }
};

const isPossibleEndpoint = (method: Operation['method'], path: string): boolean =>
  isPossible(() => ({ collections: {}, endpoints: { own: endpoint(method, path) } }));

const isPossibleAction = (above: string, name: string, method: Operation['method'], path: string): boolean =>
  isPossible(() => {
    const actions = { [name]: endpoint(method, path) };
    return { collections: { all: collection(above, resource({}), { operations: [], actions }) } };
  });

/** Whether an action can have a name: the collections of a client have others. */
export const isActionName = (name: string): boolean => isPossibleAction('all', name, 'POST', 'own');

/** A method and a path without the names of its parameters: two endpoints of an API cannot share it. */
const placeOf = (method: string, path: string): string =>
  `${method} ${path.replace(/(?<=^|\/)(?::\w+|\{[^{}]+\})(?=\/|$)/g, ':')}`;

/** What of a path is below one resource of a collection, and the name of the parameter of that resource. */
const splitBelow = (path: string, { path: above }: Pick<Owner, 'path'>) => {
  const segments = path.split('/');
  const start = above.split('/');
  const isStart = start.every((segment, index) => {
    const own = segments[index] ?? '';
    return own === segment || (parameter.test(own) && parameter.test(segment));
  });
  const key = segments[start.length] ?? '';
  const rest = segments.slice(start.length + 1).join('/');
  return isStart && parameter.test(key) && rest !== '' ? { name: key.slice(1, -1), rest } : undefined;
};

/** What of the path of an operation is below one resource of a collection; undefined for another path. */
export const belowOne = (
  operation: Operation,
  path: string,
  { options: { key = 'id' }, ...owner }: Pick<Owner, 'path' | 'response' | 'options'>,
  model: Model,
): string | undefined => {
  const { name, rest } = splitBelow(path, owner) ?? {};
  if (name === undefined) return undefined;
  // Where an export writes an action, it says whose it is, and not by what key.
  const isOfOwner = model.isExport || keyFieldOf(name, operation, owner.response, model) === key;
  return isOfOwner ? rest : undefined;
};

/**
 * Whether an operation returns a resource elsewhere than a family has it: a client would look for it in vain.
 */
export const isElsewhere = (operation: Operation, family: WholeFamily, model: Model): boolean => {
  const path = itemPathOf(family, operation.method);
  const isResourceAt = (at: string): boolean =>
    jsonResponsesOf(operation).some(({ schema }) =>
      model.isResource(withoutLimited(model.read(schemaAt(model.document, schema, at), 'response'), model)),
    );
  return path !== '' && isResourceAt('') && !isResourceAt(path);
};

/**
 * Creates a function that finds the place of an operation in an API; undefined where it cannot have one. It
 * gives each place once.
 *
 * @param taken - methods and paths that collections have
 */
export const createPlaces = (
  { prefix, tagOf }: Pick<About, 'prefix' | 'tagOf'>,
  taken: readonly { readonly method: string; readonly path: string }[],
  collections: readonly Owner[],
  model: Model,
) => {
  const places = new Set(taken.map(({ method, path }) => placeOf(method, path)));

  const findAction = (operation: Operation, below: string): Place | undefined => {
    // A document that was made from a declaration says whose action it is.
    const [, , key] = tagOf(operation);
    const owners = collections.filter((one) => key === undefined || one.key === key);
    for (const owner of owners.toSorted((a, b) => b.path.length - a.path.length)) {
      const rest = belowOne(operation, below, owner, model);
      if (rest === undefined || isElsewhere(operation, owner.family, model)) continue;
      // Its other parameters cannot have the names of those above.
      const candidates = [toPath(rest, ''), toPath(rest, 'Value')];
      const path = candidates.find((one) => isPossibleAction(owner.path, 'own', operation.method, one));
      if (path !== undefined) return { path, collection: owner.key };
    }
    return undefined;
  };

  const findEndpoint = (operation: Operation, below: string): Place | undefined => {
    if (isElsewhere(operation, model.family, model)) return undefined;
    const { method } = operation;
    // A call has options beside its path parameters, whose names these cannot have.
    const candidates = [toPath(below, ''), toPath(below, 'Value')];
    const path = candidates.find((candidate) => isPossibleEndpoint(method, candidate));
    return path === undefined ? undefined : { path, collection: undefined };
  };

  return (operation: Operation, path: string): Place | undefined => {
    if (!path.startsWith(prefix)) return undefined;
    const below = path.slice(prefix.length);
    const place = placeOf(operation.method, below);
    if (places.has(place)) return undefined;
    const found = findAction(operation, below) ?? findEndpoint(operation, below);
    if (found !== undefined) places.add(place);
    return found;
  };
};
