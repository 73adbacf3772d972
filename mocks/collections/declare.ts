import type { Operation } from '../../src/conventions.ts';
import { toInvalidOption } from '../../src/options.ts';
import { type Collection, keyOf, operationsOf, parameterNamesOf } from '../../src/schema/collection.ts';
import { type ApiDeclaration, pathOf } from '../../src/schema/define-api.ts';
import { isIdentityField } from '../../src/schema/resource.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import { elementOf, fieldOf, fieldsOf, targetOf } from '../../src/schema/zod.ts';
import { withReferences } from '../families/relations.ts';

/**
 * The field of a row that a path parameter selects by: `companies/:companyId/orders` selects by `company.id`.
 */
export interface Binding {
  readonly parameter: string;
  /** The field of the row. */
  readonly field: string;
  /** The resource in the field, as a relation or in full; undefined when the field holds the value itself. */
  readonly held: Schema | undefined;
}

/** A declared collection, as plain data. One with path parameters is nested. */
export interface Declared {
  readonly api: ApiDeclaration;
  /** Its key in the declaration. */
  readonly key: string;
  readonly declaration: Collection;
  /** The path with its version (§9), for example `v1/orders`. */
  readonly path: string;
  readonly segments: readonly string[];
  /** The names of the path parameters. */
  readonly parameters: readonly string[];
  readonly resource: Schema;
  /** The field in the path of one resource. */
  readonly keyField: string;
  readonly operations: ReadonlySet<Operation>;
  readonly bindings: readonly Binding[];
}

const bindingOf = (parameter: string, resource: Schema): readonly Binding[] => {
  const name = parameter.replace(/Id$/, '');
  const related = fieldOf(resource, name);
  if (related !== undefined && fieldOf(related, 'id') !== undefined)
    return [{ parameter, field: name, held: related }];
  // In `companies/:id/orders` it is the id of the company.
  const isField = !isIdentityField(parameter) && fieldOf(resource, parameter) !== undefined;
  return isField ? [{ parameter, field: parameter, held: undefined }] : [];
};

/**
 * Whether a parameter is the `id` of a related resource: as the `key` of the collection in front of it says,
 * or else its own name. `:owner` alone may be a login.
 */
const isIdOf = (
  { parameter, field, held }: Binding,
  path: string,
  { collections }: ApiDeclaration,
): boolean => {
  const above = path.slice(0, path.indexOf(`/:${parameter}`));
  const parent = Object.values(collections).find((one: Collection) => one.path === above);
  if (parent !== undefined) return keyOf(parent) === 'id';
  const isRelation = held !== undefined && targetOf(held) !== undefined;
  return isRelation || parameter !== field;
};

/** @throws `InvalidRequestError` for a field that cannot be in a path, which only the compiler finds */
const checkKey = (key: string, keyField: string, resource: Schema): void => {
  const field = fieldOf(resource, keyField);
  if (field !== undefined && fieldsOf(field) === undefined && elementOf(field) === undefined) return;
  const shown = JSON.stringify(keyField);
  throw toInvalidOption(`createMock: the \`key\` ${shown} of "${key}" must be a string or a number`);
};

const declareOne = (api: ApiDeclaration, key: string, declaration: Collection): Declared => {
  const path = pathOf(api, declaration.path);
  const isReferred = (declaration.wire?.family.unexpanded ?? 'reference') === 'reference';
  const resource: Schema = isReferred ? declaration.resource : withReferences(declaration.resource);
  const parameters = parameterNamesOf(path);
  const keyField = keyOf(declaration);
  checkKey(key, keyField, resource);
  return {
    api,
    key,
    declaration,
    path,
    segments: path.split('/'),
    parameters,
    resource,
    keyField,
    operations: new Set(operationsOf(declaration)),
    bindings: parameters
      .flatMap((parameter) => bindingOf(parameter, resource))
      .filter((one) => one.held === undefined || isIdOf(one, declaration.path, api)),
  };
};

/** The path with one name for all parameters. */
const shapeOf = ({ path }: Declared): string => path.replace(/:\w+/g, ':');

/**
 * The collections of the APIs.
 *
 * @throws `InvalidRequestError` for two of them at one path: only one of them could be reached
 */
export const declareCollections = (apis: readonly ApiDeclaration[]): readonly Declared[] => {
  const all = apis.flatMap((api) =>
    Object.entries(api.collections).map(([key, declaration]) => declareOne(api, key, declaration)),
  );
  for (const one of all) {
    const other = all.find((before) => shapeOf(before) === shapeOf(one));
    if (other === one || other === undefined) continue;
    const names = [other, one].map(({ api, key }) => `"${key}" of "${api.name}"`);
    const advice =
      other.api === one.api
        ? 'declare the operations of one of them as endpoint()'
        : 'make a mock for each API';
    throw toInvalidOption(
      `createMock: the collections ${names.join(' and ')} are both at /${one.path}; ${advice}`,
    );
  }
  return all;
};
