import { type Operation, versionPrefix } from '../../src/conventions.ts';
import { type Collection, operationsOf, parameterNamesOf } from '../../src/schema/collection.ts';
import type { ApiDeclaration } from '../../src/schema/define-api.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { fieldOf, targetOf } from '../../src/schema/zod.ts';

/** The field of a row that a path parameter selects by: `companies/:companyId/orders` selects by `company.id`. */
export interface Binding {
  readonly parameter: string;
  /** The field of the row. */
  readonly field: string;
  /** The resource that the field relates to; undefined when the field holds the value itself. */
  readonly target: Schema | undefined;
}

/** A declared collection, as plain data. One with path parameters is nested. */
export interface Declared {
  readonly api: ApiDeclaration;
  /** Its key in the declaration. */
  readonly key: string;
  readonly collection: Collection;
  /** The path with its version (§9), for example `v1/orders`. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The names of the path parameters. */
  readonly parameters: readonly string[];
  readonly resource: Schema;
  readonly operations: ReadonlySet<Operation>;
  readonly bindings: readonly Binding[];
}

const bindingOf = (parameter: string, resource: Schema): readonly Binding[] => {
  const name = parameter.replace(/Id$/, '');
  const related = fieldOf(resource, name);
  if (related !== undefined && fieldOf(related, 'id') !== undefined) {
    return [{ parameter, field: name, target: targetOf(related) }];
  }
  const isField = fieldOf(resource, parameter) !== undefined;
  return isField ? [{ parameter, field: parameter, target: undefined }] : [];
};

const declareOne = (api: ApiDeclaration, key: string, collection: Collection): Declared => {
  const path = `${versionPrefix}${api.version}/${collection.path}`;
  const { resource } = collection;
  const parameters = parameterNamesOf(path);
  return {
    api,
    key,
    collection,
    path,
    segments: path.split('/'),
    parameters,
    resource,
    operations: new Set(operationsOf(collection)),
    bindings: parameters.flatMap((parameter) => bindingOf(parameter, resource)),
  };
};

const describe = ({ api, key }: Declared): string =>
  `${JSON.stringify(key)} of ${JSON.stringify(api.name)} ${versionPrefix}${api.version}`;

/** @throws Error for two collections at one path: only one of them could be reached */
const checkPaths = (all: readonly Declared[]): void => {
  const taken = new Map<string, Declared>();
  for (const one of all) {
    const shape = one.path.replace(/:\w+/g, ':');
    const other = taken.get(shape);
    if (other !== undefined) {
      throw new Error(`The collections ${describe(other)} and ${describe(one)} are both at /${one.path}`);
    }
    taken.set(shape, one);
  }
};

/**
 * The collections of the APIs.
 *
 * @throws Error for two of them at one path
 */
export const declareCollections = (apis: readonly ApiDeclaration[]): readonly Declared[] => {
  const all = apis.flatMap((api) =>
    Object.entries(api.collections).map(([key, collection]) => declareOne(api, key, collection)),
  );
  checkPaths(all);
  return all;
};
