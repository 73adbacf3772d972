import { operations as kinds } from '../../conventions.ts';
import { toSingular } from '../../openapi/names.ts';
import { UsageError } from '../errors.ts';
import {
  around,
  braces,
  brackets,
  type Code,
  call,
  format,
  memberName,
  type Part,
  quote,
  toComment,
} from './code.ts';
import { type FoundApi, type FoundCollection, findCollections } from './collections.ts';
import { createDeclarations, type Declarations } from './declarations.ts';
import { keyOf, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { stringAt } from './json.ts';
import { fieldsAlong, matches } from './node.ts';
import { readOperations, serverOf } from './operations.ts';
import { originOfServer, pathOfServer } from './place.ts';
import type { Names, Query } from './query.ts';
import type { References } from './references.ts';
import { baseUrlNote, createRequests } from './requests.ts';
import { createReader } from './schemas.ts';

/** The TypeScript of a document. */
export interface Imported {
  readonly imports: string;
  readonly declarations: string;
  readonly summary: string;
  /** The parts of the document that are not declared, and why. */
  readonly unfit: readonly string[];
}

const checkVersion = (references: References): void => {
  const { value } = references.root;
  const version = stringAt(value, 'openapi') ?? stringAt(value, 'swagger');
  if (version !== undefined && /^3\.[01](\.|$)/.test(version)) return;
  if (version === undefined) {
    throw new UsageError(
      'The document is not an OpenAPI document: `openapi` must be a version in quotation marks, such as "3.1.0"',
    );
  }
  const how = version.startsWith('2') ? ', for example with `npx swagger2openapi`' : '';
  throw new UsageError(
    `The document has the OpenAPI version ${toComment(version, 20)}; versions 3.0 and 3.1 can be imported. Convert it first${how}`,
  );
};

/** An object literal without the members that are undefined; undefined when no member is left. */
const members = (of: Readonly<Record<string, Code | number | false | undefined>>): Code | undefined => {
  const parts = Object.entries(of).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [around(`${memberName(name)}: `, typeof value === 'object' ? value : String(value))];
  });
  return parts.length === 0 ? undefined : braces(parts);
};

const names = (list: Names): Code => (list === true ? 'true' : brackets(list.map(quote)));

const isNamed = (list: Names, name: string): boolean => list === true || list.includes(name);

/** The names that the list and GET of one resource both support, or those of the one that the collection has. */
const writeShared = (
  option: 'fields' | 'expand',
  list: Query | undefined,
  one: Query | undefined,
  notes: string[],
): Names | undefined => {
  if (!list || !one) return (list ?? one)?.[option];
  const [ofList, ofOne] = [list[option], one[option]];
  if (ofList === ofOne) return ofList;
  if (ofList === undefined || ofOne === undefined) {
    notes.push(`\`${option}\` is supported by ${ofList ? 'the list' : 'GET of one resource'} only`);
    return undefined;
  }
  const all = [...new Set([ofList, ofOne].flatMap((names) => (names === true ? [] : names)))];
  const shared = all.filter((name) => isNamed(ofList, name) && isNamed(ofOne, name));
  if (ofList === true || ofOne === true || shared.length < all.length)
    notes.push(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared.length === 0 ? undefined : shared;
};

/** What the items of a collection are called: `CompanyOrder` for `companies/:companyId/orders`. */
const resourceName = (path: string): string => toIdentifier(toSingular(keyOf(path)), 'Resource');

/** The schemas of bodies that do not follow from the resource (§4.2). */
const writeBodies = ({ operations, resource, path }: FoundCollection, declarations: Declarations) => {
  const write = (kind: 'create' | 'replace' | 'update'): string | undefined => {
    const body = operations.get(kind)?.body;
    if (body === undefined || matches(resource, kind === 'update' ? 'update' : 'body', body))
      return undefined;
    return declarations.constant(body, resourceName(path) + toIdentifier(kind, ''));
  };
  return members({ create: write('create'), replace: write('replace'), update: write('update') });
};

/** Where requirements of fields are described (§2.3), if every operation with a body says the same. */
const writeReferences = ({ operations, resource }: FoundCollection, notes: string[]): Code | undefined => {
  const stated = [...operations.values()].flatMap(({ body, references }) => (body ? [references] : []));
  const paths = new Set(stated.flatMap(Object.keys));
  const urlOf = (path: string): Code | undefined => {
    const url = stated[0]?.[path];
    const isSame = typeof url === 'string' && stated.every((references) => references[path] === url);
    if (isSame && fieldsAlong(resource, path) !== undefined) return quote(url);
    notes.push(
      `the reference of ${JSON.stringify(path)}: it must be the same for a field in every request body`,
    );
    return undefined;
  };
  return members(Object.fromEntries([...paths].map((path) => [path, urlOf(path)])));
};

const writeOptions = (collection: FoundCollection, declarations: Declarations, notes: string[]) => {
  const { operations, key, resource } = collection;
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => operations.get(kind));
  const fields = writeShared('fields', list?.query, one?.query, notes);
  const expandable = writeShared('expand', list?.query, one?.query, notes);
  const expand = [expandable ?? []].flat().filter((path): path is string => {
    const isPossible = path !== true && declarations.canExpand(resource, path);
    if (!isPossible)
      notes.push(`\`expand\` of \`${path}\`, because the type of a resource that contains itself ends there`);
    return isPossible;
  });
  // Written first, so that their constants precede those of the parameters.
  const bodies = writeBodies(collection, declarations);
  const { sort, paging, params } = list?.query ?? {};
  const totals = list?.isWithoutTotals ? false : undefined;
  return members({
    sort: sort && names(sort),
    fields: fields && names(fields),
    expand: expand.length === 0 ? undefined : names(expand),
    paging: paging && (members({ ...paging, totals }) ?? 'true'),
    operations: operations.size === kinds.length ? undefined : names([...operations.keys()]),
    accepts: create?.mayAccept ? names(['create']) : undefined,
    params: params && declarations.expression(params, `${key}.params`),
    bodies,
    bulk: create?.bulk && (members({ ...create.bulk }) ?? '{}'),
    references: writeReferences(collection, notes),
  });
};

const writeCollection = (collection: FoundCollection, declarations: Declarations, api: string): Part => {
  const { path, resource, key, operations } = collection;
  const notes = [...new Set([...operations.values()].flatMap((fitting) => fitting.notes))];
  const constant = declarations.constant(resource, resourceName(path));
  const options = writeOptions(collection, declarations, notes);
  return {
    comments: declarations.report(`${api}.${key}`, notes),
    code: around(
      `${memberName(key)}: `,
      call('collection', quote(path), constant, ...(options === undefined ? [] : [options])),
    ),
  };
};

const writeApi = (api: FoundApi, name: string, declarations: Declarations): void => {
  const collections = api.collections.map((one) => writeCollection(one, declarations, name));
  const [first = 'custom', ...others] = api.auth;
  const comments = api.prefix === '' ? [] : [`/** ${toComment(baseUrlNote(api.prefix))} */`];
  if (api.auth.length === 0) {
    const reason = 'the scheme that it takes (§5), because the document names none';
    comments.push(...declarations.report(name, [reason]));
  }
  const declaration = members({
    name: quote(api.name),
    version: api.version,
    auth: others.length === 0 ? quote(first) : names(api.auth),
    collections: braces(collections),
  });
  const statement = format(around(`export const ${name} = defineApi(`, declaration ?? '', ');'));
  declarations.add([...comments, statement].join('\n'), 'defineApi', 'collection');
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The server, and the base URL of a client if it differs: a base URL has neither the version nor a collection. */
const addressOf = (server: string | undefined, prefix: string): readonly string[] => {
  if (server === undefined || server === '/') return [];
  const isBase = pathOfServer(server) === prefix;
  return [`server ${server}`, ...(isBase ? [] : [`base URL ${originOfServer(server)}${prefix || '/'}`])];
};

const write = (references: References): Imported => {
  const reader = createReader(references);
  const found = findCollections(readOperations(references), reader);
  const declarations = createDeclarations();
  const exports = new Map<FoundApi, string>();
  for (const api of found.apis) {
    const isOnly = found.apis.every((other) => other === api || other.name !== api.name);
    const name = toCamelIdentifier(isOnly ? api.name : `${api.name} v${api.version}`, 'api');
    exports.set(api, declarations.claim(name));
  }
  for (const [api, name] of exports) writeApi(api, name, declarations);
  const addRequest = createRequests(declarations, reader, found.prefix);
  for (const unfit of found.unfit) addRequest(unfit, unfit.api && exports.get(unfit.api));
  const collections = found.apis.reduce((sum, { collections: { length } }) => sum + length, 0);
  return {
    ...declarations.finish(),
    summary: [
      count(found.apis.length, 'API'),
      count(collections, 'collection'),
      count(found.unfit.length, 'other operation'),
      ...addressOf(serverOf(references.root.value), found.prefix).map((one) => toComment(one)),
    ].join(', '),
  };
};

/** Writes the declarations of a document. Other documents are loaded when a reference leads to them. */
export const importDocument = async (references: References): Promise<Imported> => {
  checkVersion(references);
  let imported = write(references);
  while (await references.loadMissing()) imported = write(references);
  return imported;
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;
