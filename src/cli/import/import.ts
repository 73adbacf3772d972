import { operations as kinds } from '../../conventions.ts';
import { createClaim, toSingular } from '../../openapi/names.ts';
import {
  braces,
  brackets,
  constant,
  finishCode,
  imported,
  memberName,
  members,
  quote,
  toComment,
} from './code.ts';
import { type FoundApi, type FoundCollection, findCollections } from './collections.ts';
import { writeReferences } from './expand.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { type Json, objectAt } from './json.ts';
import { readOperations, serverOf } from './operations.ts';
import { orderConstants } from './order.ts';
import { originOfServer } from './place.ts';
import type { Constant, Program, Report } from './print-schema.ts';
import type { Names, Query } from './query.ts';
import { createReader } from './read-schema.ts';
import { writeRequest } from './requests.ts';
import { createResources, type Model } from './resources.ts';

/** The TypeScript of a document. */
export interface Imported {
  readonly imports: string;
  readonly declarations: string;
  readonly summary: string;
  /** The parts of the document that are not declared, and why. */
  readonly unfit: readonly { readonly where: string; readonly reason: string }[];
}

const importedNames = ['Client', 'collection', 'defineApi', 'Expandable', 'expandable', 'resource'];

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const writeImports = (used: ReadonlySet<string>): string => {
  const names = importedNames.filter((name) => used.has(name));
  const list = names.map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name)).join(', ');
  return [
    ...(names.length === 0 ? [] : [`import { ${list} } from 'restkin';`]),
    ...(used.has('z') ? ["import * as z from 'zod';"] : []),
  ].join('\n');
};

const names = (list: Names): string => (list === true ? 'true' : brackets(list.map(quote)));

/** The names that the list and GET of one resource both support, or those of the one that the collection has. */
const sharedNames = (
  option: 'fields' | 'expand',
  list: Query | undefined,
  one: Query | undefined,
  notes: string[],
): Names | undefined => {
  if (!list || !one) return (list ?? one)?.[option];
  const [a, b] = [list[option] ?? [], one[option] ?? []];
  if (a === true && b === true) return true;
  const named = [a, b].flatMap((all) => (all === true ? [] : all));
  const shared = new Set(named.filter((name) => [a, b].every((all) => all === true || all.includes(name))));
  if (shared.size < new Set(named).size || a === true || b === true)
    notes.push(`names of \`${option}\` that only the list or only GET of one resource allows`);
  return shared.size === 0 ? undefined : [...shared];
};

/** What the items of a collection are called: `CompanyOrder` for `companies/:companyId/orders`. */
const resourceName = (path: string): string => toIdentifier(toSingular(keyOf(path)), 'Resource');

/** The schemas of bodies that do not follow from the resource (§4.2). */
const writeBodies = (
  { operations, resource, path, key }: FoundCollection,
  { model, declare }: Program,
  api: string,
) => {
  const write = (kind: 'create' | 'replace' | 'update'): string | undefined => {
    const body = operations.get(kind)?.body;
    const form = kind === 'update' ? 'update' : 'body';
    if (body === undefined || model.resources.matches(resource, form, body)) return undefined;
    const name = resourceName(path) + toIdentifier(kind, '');
    return declare(`${api}.${key}.${kind}`, { name, schema: body, direction: 'body' });
  };
  return members({ create: write('create'), replace: write('replace'), update: write('update') });
};

/** Where requirements of fields are described (§2.3): the first operation that says so. */
const writeReferencesOf = ({ operations, resource }: FoundCollection, { model }: Program) => {
  const stated = [...operations.values()].find(({ references }) => Object.keys(references).length > 0);
  const found = Object.entries(stated?.references ?? {}).flatMap(([path, url]) =>
    typeof url === 'string' && model.resources.fieldsAlong(resource, path) ? [[path, quote(url)]] : [],
  );
  return members(Object.fromEntries(found));
};

const writeOptions = (collection: FoundCollection, program: Program, api: string, notes: string[]) => {
  const { operations, key, resource } = collection;
  const { model, printer } = program;
  const [list, one, create] = (['list', 'get', 'create'] as const).map((kind) => operations.get(kind));
  const fields = sharedNames('fields', list?.query, one?.query, notes);
  const expandable = sharedNames('expand', list?.query, one?.query, notes);
  /** The compiler sees a nested resource at a path where each getter on the way has a type of its own. */
  const canExpand = (path: string): boolean =>
    (model.resources.fieldsAlong(resource, path) ?? []).every(([, field], index, { length }) => {
      const type = printer.late.get(field);
      return type === undefined || (index === length - 1 && type.includes('Expandable'));
    });
  const expand = [expandable ?? []].flat().filter((path): path is string => {
    if (path === true || canExpand(path)) return path !== true;
    notes.push(`\`expand\` of \`${path}\`, because the type of a resource that contains itself ends there`);
    return false;
  });
  const { sort, paging, params } = list?.query ?? {};
  const totals = list?.isWithoutTotals ? false : undefined;
  const where = `${key}.params`;
  return members({
    sort: sort && names(sort),
    fields: fields && names(fields),
    expand: expand.length === 0 ? undefined : names(expand),
    paging: paging && (members({ ...paging, totals: totals === undefined ? undefined : 'false' }) ?? 'true'),
    operations: operations.size === kinds.length ? undefined : names([...operations.keys()]),
    accepts: create?.mayAccept ? names(['create']) : undefined,
    params: params && printer.expression(params, { where, direction: 'body' }),
    bodies: writeBodies(collection, program, api),
    bulk: create?.bulk && (members({ ...create.bulk }) ?? '{}'),
    references: writeReferencesOf(collection, program),
  });
};

const writeCollection = (collection: FoundCollection, program: Program, api: string): string => {
  const { path, resource, key, operations } = collection;
  const notes = [...new Set([...operations.values()].flatMap((fitting) => fitting.notes))];
  const schema: Constant = { name: resourceName(path), schema: resource, direction: 'response' };
  const deprecated = [...operations].flatMap(([kind, { operation }]) =>
    operation.isDeprecated ? [kind] : [],
  );
  if (deprecated.length > 0) notes.push(`the document calls ${deprecated.join(', ')} deprecated`);
  const declared = program.declare(`${api}.${key}`, schema);
  const options = writeOptions(collection, program, api, notes);
  const all = [quote(path), declared, ...(options === undefined ? [] : [options])];
  const comments = program.printer.comments(`${api}.${key}`, notes);
  return [...comments, `${memberName(key)}: ${imported('collection')}(${all.join(', ')})`].join('\n');
};

const writeApi = (api: FoundApi, name: string, program: Program): string => {
  const collections = api.collections.map((one) => writeCollection(one, program, name));
  const [first = 'custom', ...others] = api.auth;
  const comments =
    api.prefix === '' ? [] : [`/** ${toComment(`Its base URL ends with \`${api.prefix}\`.`)} */`];
  if (api.auth.length === 0)
    comments.push(
      ...program.printer.comments(name, ['the scheme that it takes (§5), because the document names none']),
    );
  const declaration = members({
    name: quote(api.name),
    version: api.version,
    auth: others.length === 0 ? quote(first) : names(api.auth),
    collections: braces(collections),
  });
  return [...comments, `export const ${name} = ${imported('defineApi')}(${declaration});`].join('\n');
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Writes the declarations of a document that {@link loadDocument} read. */
export const importDocument = (document: Json): Imported => {
  const operations = readOperations(document);
  writeReferences(document, operations);
  const reader = createReader(document);
  const model: Model = { document, reader, resources: createResources(reader) };
  const found = findCollections(operations, model);
  const claim = createClaim(reserved);
  const apiNames = new Map(
    found.apis.map((api) => {
      const isOnly = found.apis.every((other) => other === api || other.name !== api.name);
      return [
        api,
        claim(toCamelIdentifier(isOnly ? api.name : `${api.name} v${api.version}`, 'api')),
      ] as const;
    }),
  );
  const requestNames = found.unfit.map((unfit) => {
    const { id, method, path } = unfit.operation;
    return [unfit, claim(toCamelIdentifier(id ?? `${method} ${path}`.toLowerCase(), 'request'))] as const;
  });

  const own = new Map<string, Constant>();
  const declare: Program['declare'] = (key, wanted) => {
    if (wanted.schema.$ref !== undefined) return constant(wanted.schema.$ref);
    own.set(key, wanted);
    return constant(key);
  };
  const write = (printer: Program['printer'], report: Report): readonly string[] => {
    const program: Program = { model, printer, report, declare };
    return [
      ...Array.from(apiNames, ([api, name]) => writeApi(api, name, program)),
      ...requestNames.map(([unfit, name]) =>
        writeRequest(unfit, name, unfit.api && apiNames.get(unfit.api), program),
      ),
    ];
  };

  const unfit: { where: string; reason: string }[] = [];
  const report: Report = (where, reason) => void unfit.push({ where, reason });
  const constantOf = (key: string): Constant | undefined => own.get(key) ?? reader.components.get(key);
  const ordered = orderConstants((printer) => write(printer, () => undefined), constantOf, model.resources);
  const constants = ordered.keys.flatMap((key) => ordered.print(key, report));
  const statements = write(ordered.printer(report), report);
  const webhooks = Object.keys(objectAt(document, 'webhooks'));
  if (webhooks.length > 0)
    report(`webhooks ${webhooks.join(', ')}`, 'requests of the server to you are no part of a client');

  const constantNames = new Map(
    ordered.keys.map((key) => {
      const name = toIdentifier(constantOf(key)?.name ?? '', 'Schema');
      return [key, claim(name, `${name}Schema`)] as const;
    }),
  );
  const { code, names: used } = finishCode(
    [...constants, ...statements].join('\n\n'),
    (key) => constantNames.get(key) ?? key,
  );
  const server = serverOf(document);
  const collections = found.apis.reduce((sum, { collections: { length } }) => sum + length, 0);
  return {
    imports: writeImports(used),
    declarations: code,
    unfit,
    summary: [
      count(found.apis.length, 'API'),
      count(collections, 'collection'),
      count(found.unfit.length, 'other operation'),
      ...(server === undefined || server === '/'
        ? []
        : [toComment(`base URL ${originOfServer(server)}${found.prefix || '/'}`)]),
    ].join(', '),
  };
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;
