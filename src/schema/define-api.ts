import { operations } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { basePathOf, conventions, type WholeFamily } from '../families/family.ts';
import type { Wire } from '../families/wire.ts';
import {
  checkBoolean,
  checkCount,
  checkName,
  checkOf,
  checkPart,
  checkStrings,
  createReader,
  isName,
  isObject,
} from '../options.ts';
import {
  type BodySchemas,
  type BulkOptions,
  type Collection,
  type CollectionOptions,
  type DeclaredCollection,
  keyOf,
  type PagingOptions,
  supportsParameter,
} from './collection.ts';
import { type AnyEndpoint, isEndpoint } from './endpoint.ts';
import { checkNames } from './field-paths.ts';
import { isResource } from './resource.ts';
import type { Exact, Schema } from './types/shape.ts';
import { elementOf, fieldOf, fieldsOf, isJsonSchema, isSchema, someSchema } from './zod.ts';

/**
 * Names of schemes for {@link defineApi}: those of §5, `custom` for `customAuth`, and the names that a client
 * gives to its schemes.
 */
export type AuthName = 'token' | 'basic' | 'custom' | (string & {});

/** An API of the family, as data, made by {@link defineApi}. */
export interface ApiDeclaration {
  /** Names the API in events and error messages. */
  readonly name: string;
  /** Major version, in the path as `/v<major>/` (§9). */
  readonly version: number;
  /** The scheme the API takes (§5), or several in the order of preference. */
  readonly auth: AuthName | readonly [AuthName, ...AuthName[]];
  /** The collections, each by the name that it has in the client and the mock. */
  readonly collections: Readonly<Record<string, DeclaredCollection>>;
  /**
   * What is not a collection, such as a file, a report or a document that exists once: each {@link endpoint}
   * by its name in the client.
   */
  readonly endpoints?: Readonly<Record<string, AnyEndpoint>>;
  /**
   * How an API of another family than that of the conventions is spoken to; set by the `defineApi` of
   * {@link family}.
   */
  readonly wire?: Wire;
}

/** One segment of a declared path. */
export const segment = /^(?::[A-Za-z_]\w*|[A-Za-z0-9_~-][A-Za-z0-9._~-]*)$/;

const isListOf =
  (names: readonly unknown[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((name) => names.includes(name));

/** True for the schema of a list, or of a value that may be one. */
export const isListSchema = (schema: Schema | undefined): boolean =>
  schema !== undefined && someSchema(schema, (part) => elementOf(part) !== undefined);

const isEndpoints = (value: unknown): boolean => isObject(value) && Object.values(value).every(isEndpoint);
const checkDeclared = checkOf(isEndpoints, 'an object of endpoint()');

const checkBody = checkOf(isJsonSchema, 'a zod schema of JSON; see endpoint()');
const readPaging = createReader<PagingOptions>({
  maxPerPage: checkCount,
  defaultPerPage: checkCount,
  totals: checkBoolean,
});
const readBulk = createReader<BulkOptions>({ maxItems: checkCount, maxBytes: checkCount });
const readBodies = createReader<BodySchemas>({
  create: checkBody,
  replace: checkBody,
  update: checkBody,
});

/** Finds misspelt options, which the compiler finds only in TypeScript. */
const readCollection = createReader<CollectionOptions>({
  // Their names are those of the resource.
  sort: undefined,
  fields: undefined,
  expand: undefined,
  key: checkName,
  paging: (name, value) => value === true || checkPart(readPaging)(name, value),
  operations: checkOf(isListOf(operations), `an array of ${operations.join(', ')}`),
  accepts: checkOf(isListOf(['create']), "['create']"),
  params: checkOf(
    (schema) => isSchema(schema) && fieldsOf(schema) !== undefined,
    'an object schema, such as z.object({ city: z.string() })',
  ),
  repeated: checkStrings,
  trailingSlash: checkBoolean,
  references: checkOf(isObject, 'an object'),
  bodies: checkPart(readBodies),
  bulk: checkPart(readBulk),
  actions: checkDeclared,
});

const checkCollection = (declared: Collection, owner: string): string | undefined => {
  const { path, resource } = declared ?? {};
  if (typeof path !== 'string') return 'it must be what collection() returns';
  if (!isResource(resource))
    return 'its resource must be made by resource({ name: z.string() }); for a z.object(), pass its `shape`';
  if (!path.split('/').every((part) => segment.test(part))) {
    return 'its path must be like orders or companies/:companyId/orders, without a slash at either end';
  }
  const options = readCollection(declared.options, owner);
  const { sort = true, fields = true, expand = [], references = {}, params, repeated = [] } = options;
  const problem =
    (sort === true ? undefined : checkNames(resource, 'sort', sort)) ??
    (fields === true ? undefined : checkNames(resource, 'fields', fields)) ??
    checkNames(resource, 'expand', expand) ??
    checkNames(resource, 'key', [keyOf(declared)]) ??
    checkNames(resource, 'references', Object.keys(references));
  if (problem !== undefined) return problem;
  const single = repeated.find((name) => !isListSchema(params && fieldOf(params, name)));
  if (single !== undefined)
    return `\`repeated\` names ${JSON.stringify(single)}, which is not a list in \`params\``;
  const own = Object.keys((params && fieldsOf(params)) ?? {});
  if (own.includes('__proto__')) return 'params cannot declare "__proto__": zod drops it';
  const taken = own.find((name) => supportsParameter(options, name));
  return (
    taken &&
    `params cannot declare ${JSON.stringify(taken)}, which the collection supports by §4.4; client.request sends another of that name`
  );
};

const isSchemes = (value: unknown): boolean => [value].flat().length > 0 && [value].flat().every(isName);

const readDeclaration = createReader<Omit<ApiDeclaration, 'wire'>>(
  {
    name: checkName,
    version: checkOf((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'an integer from 0 (§9)'),
    auth: checkOf(isSchemes, 'the name of the scheme, such as "token", or several (§5)'),
    collections: checkOf(isObject, 'an object of collection()'),
    endpoints: checkDeclared,
  },
  { required: ['name', 'auth', 'collections', 'version'] },
);

/**
 * Declares an API once, as data. The client, its types and the mock come from this declaration.
 *
 * @throws {@link InvalidRequestError} for an invalid version or path, a name in `sort`, `fields` or `expand`
 * that the resource does not have, an unknown option, a value that `resource`, `collection` or `endpoint` did
 * not return, and names or paths of endpoints that another one or a collection has
 * @example
 * ```ts
 * const ordering = defineApi({
 *   name: 'ordering', version: 1, auth: 'token',
 *   collections: { orders: collection('orders', Order, { paging: true }) },
 * });
 * ```
 */
export const defineApi = <const A extends ApiDeclaration>(declaration: A & Exact<A, ApiDeclaration>): A => {
  // The `defineApi` of a family sets `wire`.
  const { wire, ...own }: ApiDeclaration = Object(declaration);
  const { name, collections, endpoints } = readDeclaration(own, 'defineApi');
  for (const [key, collection] of Object.entries(collections)) {
    const owner = `API ${JSON.stringify(name)}: collection ${JSON.stringify(key)}`;
    const problem =
      checkCollection(collection, owner) ??
      (wire === undefined ? collection.wire?.otherApiProblem : undefined);
    if (problem !== undefined) throw new InvalidRequestError(`${owner}: ${problem}`);
  }
  const actions = Object.values(collections).map(({ options }: Collection) => options.actions);
  const [anyEndpoint] = [endpoints, ...actions].flatMap((declared = {}) => Object.values(declared));
  anyEndpoint?.code.check(declaration);
  return Object.freeze({ ...declaration });
};

/** True for what {@link defineApi} returned. It is undefined when two modules import each other. */
export const isDeclaration = (value: unknown): value is ApiDeclaration =>
  isObject(value) && isObject(value.collections) && isSchemes(value.auth);

/** The family of an API, a collection or an endpoint. */
export const familyOf = ({ wire }: { readonly wire?: Wire | undefined }): WholeFamily =>
  wire?.family ?? conventions;

/** The path of a collection below the base URL, with the version (§9) or what its family has in front. */
export const pathOf = (api: ApiDeclaration, path: string): string =>
  `${basePathOf(familyOf(api), api.version)}/${path}`.slice(1);

/** The names of the schemes that an API takes, in its order of preference (§5). */
export const schemeNamesOf = ({ auth }: ApiDeclaration): readonly string[] =>
  typeof auth === 'string' ? [auth] : auth;

/** True for an API with a scheme of its own, beside those of §5.1 and §5.2. */
export const hasOwnScheme = (api: ApiDeclaration): boolean =>
  schemeNamesOf(api).some((name) => name !== 'token' && name !== 'basic');
