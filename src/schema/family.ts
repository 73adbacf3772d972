import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { Family, WholeFamily } from '../families/family.ts';
import { placeParameterOf } from '../families/list-form.ts';
import { readFamily } from '../families/read-family.ts';
import { createWire, type Wire } from '../families/wire.ts';
import { isObject } from '../options.ts';
import type { CollectionOptions } from './collection.ts';
import { type ApiDeclaration, defineApi, familyOf } from './define-api.ts';
import { withIdentity } from './identity-paths.ts';
import { withIdField } from './ids.ts';
import {
  type AnyResource,
  expandable,
  expandableById,
  expandableOrAbsent,
  type Fields,
  type Resource,
  resource,
  resourceWithId,
} from './resource.ts';
import type {
  CheckedFamily,
  CollectionBuilder,
  ExpandableIn,
  FamilyCollection,
  PagingKey,
  ResourceIn,
} from './types/family.ts';
import type { Exact } from './types/shape.ts';
import { fieldOf, isSchema } from './zod.ts';

/** The functions that declare an API of a family, made by {@link family}. */
export interface FamilyBuilders<F extends Family> {
  /** As {@link resource}, with the identity of the family. */
  resource<const Sh extends Fields>(shape: Sh): ResourceIn<F, Sh>;
  /** As {@link expandable}, with what stands for a resource that is not expanded. */
  expandable<R extends AnyResource>(target: R): ExpandableIn<F, R>;
  /** As {@link collection}; what the family has no name for cannot be declared. */
  readonly collection: CollectionBuilder<F>;
  /** As {@link defineApi}; `version` is needed where the path of the family has it. */
  defineApi<const A extends FamilyDeclaration>(
    declaration: A & Exact<A, FamilyDeclaration>,
  ): A & Required<Pick<ApiDeclaration, 'version' | 'wire'>>;
}

/** An API of a family. */
export interface FamilyDeclaration extends Omit<ApiDeclaration, 'version' | 'wire'> {
  /** Major version, for the `{version}` in the path of the family. */
  readonly version?: number;
}

/** @throws {@link InvalidRequestError} for a field that the family has for `id` */
const checkIdField = (shape: unknown, { idField, name }: WholeFamily): void => {
  if (idField === 'id' || !isObject(shape) || !Object.hasOwn(shape, idField)) return;
  throw new InvalidRequestError(
    `resource(): declare \`id\` in place of \`${idField}\`, which the family "${name}" names in idField: in TypeScript it is \`id\``,
  );
};

/** The parts that the families of one API have in common. Each collection may have others of its own. */
const sharedParts = [
  'path',
  'trailingSlash',
  'identity',
  'idField',
  'impliesIdentity',
  'unexpanded',
  'invalid',
] as const satisfies readonly (keyof WholeFamily)[];

/** @throws {@link InvalidRequestError} for a collection whose family differs in a part that is the API's */
const checkFamilies = ({ name, collections }: ApiDeclaration, family: WholeFamily): void => {
  for (const [key, collection] of Object.entries(collections)) {
    const other = familyOf(collection);
    const part = sharedParts.find((one) => JSON.stringify(other[one]) !== JSON.stringify(family[one]));
    if (part === undefined) continue;
    const owner = `API ${JSON.stringify(name)}: collection ${JSON.stringify(key)}`;
    throw new InvalidRequestError(
      `${owner}: it is declared with the family "${other.name}" and its API with "${family.name}", which has another \`${part}\`; take collection and defineApi of one family(), or of two with the same ${sharedParts.join(', ')}`,
    );
  }
};

const pagingKeys: readonly PagingKey[] = ['page', 'perPage'];

/** What a collection may declare only where its family has a name for it. */
const namedOptions = ['sort', 'fields', 'expand'] as const;

/** The parameters that a client writes for a list, in the names of the family. */
const writtenNames = (
  { query, sortAs, list, listParameters, pageRequired }: WholeFamily,
  options: CollectionOptions,
): readonly string[] => {
  const direction = typeof sortAs === 'object' ? sortAs.direction : undefined;
  const ofSort = options.sort === undefined ? [] : [direction];
  const ofPages = options.paging === undefined ? [] : [query.page, query.perPage, placeParameterOf(list)];
  const ofNames = namedOptions.map((option) => (options[option] === undefined ? undefined : query[option]));
  const ofEach = [...Object.keys(listParameters), pageRequired ? query.page : undefined];
  const names = [...ofNames, ...ofSort, ...ofPages, ...ofEach];
  return names.filter((name) => name !== undefined);
};

/**
 * @throws {@link InvalidRequestError} for a part without a name in the family, and a name with two meanings
 */
const checkParts = (family: WholeFamily, path: string, options: CollectionOptions): void => {
  const owner = `collection(${JSON.stringify(path)})`;
  if (!isObject(options)) throw new InvalidRequestError(`${owner} takes its options as an object`);
  const { name, query } = family;
  const { params } = options;
  const unnamed = namedOptions.find((option) => options[option] !== undefined && query[option] === undefined);
  if (unnamed !== undefined)
    throw new InvalidRequestError(
      `${owner}: the family "${name}" has no \`${unnamed}\`; leave it out, or name query.${unnamed} in family()`,
    );
  const taken = isSchema(params)
    ? writtenNames(family, options).find((written) => fieldOf(params, written))
    : undefined;
  if (taken !== undefined)
    throw new InvalidRequestError(
      `${owner}: params cannot declare ${JSON.stringify(taken)}, which the client writes for the family "${name}"; leave it out of params`,
    );
};

/**
 * The functions that declare APIs of a family: of servers that have the ideas of the conventions under other
 * names.
 *
 * @param given - a preset of `restkin/families`, a preset with differences, or a family of your own
 * @throws {@link InvalidRequestError} for an unknown part, and a part that cannot be
 * @example
 * ```ts
 * const { resource, collection, defineApi } = family(github);
 * const issues = collection('repos/:owner/:repo/issues', resource({ title: z.string() }), { paging: true });
 * export const api = defineApi({ name: 'github', version: 3, auth: 'token', collections: { issues } });
 * ```
 */
export const family = <const F extends Family>(given: F & CheckedFamily<F>): FamilyBuilders<F> => {
  const whole = readFamily(given);
  const wire: Wire = withIdentity(withIdField(createWire(whole)));
  const unexpanded = { reference: expandable, id: expandableById, absent: expandableOrAbsent };
  const hasSelf = whole.identity.length > 1;
  const builders = {
    resource: (shape: Fields) => {
      checkIdField(shape, whole);
      return Object.assign(hasSelf ? resource(shape) : resourceWithId(shape), { wire });
    },
    expandable: unexpanded[whole.unexpanded],
    collection: (path: string, target: AnyResource, options: CollectionOptions = {}): FamilyCollection => {
      checkParts(whole, path, options);
      const { written, query } = whole;
      const pagedBy = pagingKeys.filter((part) => query[part] !== undefined);
      return { path, resource: target as Resource, options: { ...options }, wire, written, pagedBy };
    },
    defineApi: (declaration: FamilyDeclaration): ApiDeclaration => {
      // A family without a version in its path has one that no URL shows.
      const version = whole.path.includes('{version}') ? {} : { version: 1 };
      const api = defineApi({ ...version, ...declaration, wire } as ApiDeclaration);
      checkFamilies(api, whole);
      return api;
    },
  };
  return Object.freeze(builders) as unknown as FamilyBuilders<F>;
};
