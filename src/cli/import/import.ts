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
import { type Field, fieldsAlong, matches, type Node } from './node.ts';
import { readOperations, serverOf } from './operations.ts';
import { originOfServer, pathOfServer } from './place.ts';
import type { Names, Query } from './query.ts';
import type { References } from './references.ts';
import { baseUrlNote, createRequests } from './requests.ts';
import { createSchemas } from './schemas.ts';

/** The TypeScript of a document. */
export interface Imported {
  /** The import statements. */
  readonly imports: string;
  /** The declarations. */
  readonly declarations: string;
  /** What was declared, in a few words. */
  readonly summary: string;
  /** What of the document is not declared, and why. */
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

const members = (of: object): Code => braces(Object.entries(of).map(([name, value]) => `${name}: ${value}`));

const names = (list: Names): Code => (list === true ? 'true' : brackets(list.map(quote)));

const isNamed = (list: Names, name: string): boolean => list === true || list.includes(name);

/** What both the list and GET of one resource support, where the collection has both. */
const writeShared = (
  option: 'fields' | 'expand',
  list: Query | undefined,
  one: Query | undefined,
  note: (reason: string) => void,
): Names | undefined => {
  if (!list || !one) return (list ?? one)?.[option];
  const [ofList, ofOne] = [list[option], one[option]];
  if (ofList === undefined && ofOne === undefined) return undefined;
  if (ofList === undefined || ofOne === undefined) {
    note(`\`${option}\` is supported by ${ofList ? 'the list' : 'GET of one resource'} only`);
    return undefined;
  }
  if (ofList === true && ofOne === true) return true;
  const all = [...new Set([ofList, ofOne].flatMap((names) => (names === true ? [] : names)))];
  const shared = all.filter((name) => isNamed(ofList, name) && isNamed(ofOne, name));
  if (ofList === true || ofOne === true || shared.length < all.length)
    note(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared.length === 0 ? undefined : shared;
};

const writePaging = ({ operations }: FoundCollection, paging: NonNullable<Query['paging']>): Code => {
  const isWithoutTotals = operations.get('list')?.isWithoutTotals === true;
  const options = { ...paging, ...(isWithoutTotals && { totals: false }) };
  return Object.keys(options).length === 0 ? 'true' : members(options);
};

/** What the items of a collection are called: `CompanyOrder` for `companies/:companyId/orders`. */
const resourceName = (path: string): string => toIdentifier(toSingular(keyOf(path)), 'Resource');

/** The schemas of bodies that do not follow from the resource (§4.2). */
const writeBodies = (collection: FoundCollection, declarations: Declarations): Code | undefined => {
  const parts = (['create', 'replace', 'update'] as const).flatMap((kind) => {
    const body = collection.operations.get(kind)?.body;
    const form = kind === 'update' ? 'update' : 'body';
    if (body === undefined || matches(collection.resource, form, body)) return [];
    const name = resourceName(collection.path) + toIdentifier(kind, '');
    return [`${kind}: ${declarations.constant(body, name)}`];
  });
  return parts.length === 0 ? undefined : braces(parts);
};

const writeParams = (params: ReadonlyMap<string, Field>, declarations: Declarations, where: string): Code => {
  const node: Node = { kind: 'object', isResource: false, fields: params, rest: undefined };
  return declarations.expression(node, `${where}.params`);
};

/** Where requirements of fields are described (§2.3), if every operation with a body says the same. */
const writeReferences = ({ operations, resource }: FoundCollection, notes: string[]): Code | undefined => {
  const stated = [...operations.values()]
    .filter(({ body }) => body !== undefined)
    .map(({ references }) => references);
  const paths = new Set(stated.flatMap(Object.keys));
  const parts = [...paths].flatMap((path) => {
    const url = stated[0]?.[path];
    const isSame = typeof url === 'string' && stated.every((references) => references[path] === url);
    if (isSame && fieldsAlong(resource, path) !== undefined) return [`${memberName(path)}: ${quote(url)}`];
    notes.push(
      `the reference of ${JSON.stringify(path)}: it must be the same for a field in every request body`,
    );
    return [];
  });
  return parts.length === 0 ? undefined : braces(parts);
};

const writeOptions = (collection: FoundCollection, declarations: Declarations, notes: string[]): Code => {
  const { operations, key } = collection;
  const [list, one] = [operations.get('list')?.query, operations.get('get')?.query];
  const note = (reason: string): void => void notes.push(reason);
  const fields = writeShared('fields', list, one, note);
  const expand = [writeShared('expand', list, one, note) ?? []].flat().filter((path): path is string => {
    const isPossible = path !== true && declarations.canExpand(collection.resource, path);
    if (!isPossible)
      note(`\`expand\` of \`${path}\`, because the type of a resource that contains itself ends there`);
    return isPossible;
  });
  const bodies = writeBodies(collection, declarations);
  const bulk = operations.get('create')?.bulk;
  const entries: readonly (readonly [string, Code | undefined])[] = [
    ['sort', list?.sort && names(list.sort)],
    ['fields', fields && names(fields)],
    ['expand', expand.length === 0 ? undefined : brackets(expand.map(quote))],
    ['paging', list?.paging && writePaging(collection, list.paging)],
    [
      'operations',
      operations.size === kinds.length ? undefined : brackets([...operations.keys()].map(quote)),
    ],
    ['accepts', operations.get('create')?.mayAccept === true ? brackets([quote('create')]) : undefined],
    ['params', list && list.params.size > 0 ? writeParams(list.params, declarations, key) : undefined],
    ['bodies', bodies],
    ['bulk', bulk && members(bulk)],
    ['references', writeReferences(collection, notes)],
  ];
  return braces(entries.flatMap(([name, code]) => (code === undefined ? [] : [around(`${name}: `, code)])));
};

const writeCollection = (collection: FoundCollection, declarations: Declarations, api: string): Part => {
  const { path, resource, key, operations } = collection;
  const notes = [...new Set([...operations.values()].flatMap((fitting) => fitting.notes))];
  const parts: readonly Code[] = [quote(path), declarations.constant(resource, resourceName(path))];
  const options = writeOptions(collection, declarations, notes);
  const isPlain = format(options) === '{}';
  for (const note of notes) declarations.report(`${api}.${key}`, note);
  return {
    comments: notes.map((note) => `// Not declared: ${toComment(note)}.`),
    code: around(`${memberName(key)}: `, call('collection', ...parts, ...(isPlain ? [] : [options]))),
  };
};

const writeApi = (api: FoundApi, name: string, declarations: Declarations): void => {
  const collections = api.collections.map((one) => writeCollection(one, declarations, name));
  const [first = 'custom', ...others] = api.auth;
  const auth = others.length === 0 ? quote(first) : brackets(api.auth.map(quote));
  const comments = api.prefix === '' ? [] : [`/** ${toComment(baseUrlNote(api.prefix))} */`];
  if (api.auth.length === 0) {
    const reason = 'the scheme that it takes (§5), because the document names none';
    declarations.report(name, reason);
    comments.push(`// Not declared: ${reason}.`);
  }
  const declaration = braces([
    `name: ${quote(api.name)}`,
    `version: ${api.version}`,
    around('auth: ', auth),
    ...(api.rateLimit === undefined ? [] : [around('rateLimit: ', members(api.rateLimit))]),
    around('collections: ', braces(collections)),
  ]);
  declarations.add(
    [...comments, format(around(`export const ${name} = defineApi(`, declaration, ');'))].join('\n'),
    'defineApi',
    'collection',
  );
};

const importedNames = ['Client', 'collection', 'defineApi', 'Expandable', 'expandable', 'resource'] as const;
const isType = (name: string): boolean => /^[A-Z]/.test(name);

/** The import statements for what a program uses: the compiler of a strict project refuses others. */
const writeImports = ({ used }: Declarations): string => {
  const names = importedNames.filter((name) => used.has(name));
  const list = names.every(isType)
    ? `type { ${names.join(', ')} }`
    : `{ ${names.map((name) => (isType(name) ? `type ${name}` : name)).join(', ')} }`;
  return [
    ...(names.length === 0 ? [] : [`import ${list} from 'restkin';`]),
    ...(used.has('z') ? ["import * as z from 'zod';"] : []),
  ].join('\n');
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Where the API lives, and the base URL of a client where that is another one: it has neither version nor collection. */
const addressOf = (server: string | undefined, prefix: string): readonly string[] => {
  if (server === undefined || server === '/') return [];
  const isBase = pathOfServer(server) === prefix;
  return [`server ${server}`, ...(isBase ? [] : [`base URL ${originOfServer(server)}${prefix || '/'}`])];
};

const write = (references: References): Imported => {
  const reader = { references, schemas: createSchemas(references) };
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
    imports: writeImports(declarations),
    declarations: declarations.statements.join('\n\n'),
    summary: [
      count(found.apis.length, 'API'),
      count(collections, 'collection'),
      count(found.unfit.length, 'other operation'),
      ...addressOf(serverOf(references.root.value), found.prefix).map((one) => toComment(one)),
    ].join(', '),
    unfit: declarations.reported,
  };
};

/** Writes the declarations of a document; other documents are loaded when a reference leads to them. */
export const importDocument = async (references: References): Promise<Imported> => {
  checkVersion(references);
  let imported = write(references);
  while (await references.loadMissing()) imported = write(references);
  return imported;
};
