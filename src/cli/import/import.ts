import { createClaim, toSingular } from '../../openapi/names.ts';
import { braces, docComment, literal, memberName, members, quote, toComment } from './code.ts';
import { type FoundApi, type FoundCollection, findCollections } from './collections.ts';
import { writeReferences } from './expand.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { type Json, objectAt } from './json.ts';
import { createModel, type Model } from './model.ts';
import { readOperations, serverOf } from './operations.ts';
import { type FoundOptions, optionsOf } from './options.ts';
import { originOfServer } from './place.ts';
import { printRequest, titleOf } from './print-request.ts';
import { createPrinter, type ImportedName, type Printer, type Report } from './print-schema.ts';
import { readRequest, refuseRequest } from './requests.ts';
import type { Schema } from './schema.ts';

/** The TypeScript of a document. */
export interface Imported {
  readonly imports: string;
  readonly declarations: string;
  readonly summary: string;
  /** The parts of the document that are not declared, and why. */
  readonly unfit: readonly { readonly where: string; readonly reason: string }[];
}

const importedNames = ['Client', 'collection', 'defineApi', 'Expandable', 'expandable', 'resource'] as const;

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const printImports = (used: ReadonlySet<ImportedName>): string => {
  const names = importedNames.filter((name) => used.has(name));
  const list = names.map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name)).join(', ');
  return [
    ...(names.length === 0 ? [] : [`import { ${list} } from 'restkin';`]),
    ...(used.has('z') ? ["import * as z from 'zod';"] : []),
  ].join('\n');
};

/** A collection with what is written of it. */
interface Described {
  readonly collection: FoundCollection;
  readonly options: FoundOptions;
  readonly notes: readonly string[];
}

const describe = (collection: FoundCollection, model: Model): Described => {
  const all = [...collection.operations.values()];
  const notes = all.flatMap((fitting) => fitting.notes);
  const deprecated = all.filter(({ operation }) => operation.isDeprecated).map(({ kind }) => kind);
  if (deprecated.length > 0) notes.push(`the document calls ${deprecated.join(', ')} deprecated`);
  const options = optionsOf(collection, model, (note) => notes.push(note));
  return { collection, options, notes: [...new Set(notes)] };
};

const schemasOf = ({ collection, options }: Described): readonly Schema[] => [
  collection.resource,
  ...[options.params ?? []].flat(),
  ...Object.values(options.bodies),
];

const printCollection = (
  { collection, options, notes }: Described,
  api: string,
  model: Model,
  printer: Printer,
) => {
  const { path, resource, key } = collection;
  // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
  const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
  const declared = printer.declare(resource, name, 'response');
  const expand = options.expand.filter((one) => printer.canExpand(model.fieldsAlong(resource, one) ?? []));
  const endless = options.expand.filter((one) => !expand.includes(one));
  const bodies = Object.entries(options.bodies).map(([kind, body]) => [
    kind,
    printer.declare(body, name + toIdentifier(kind, ''), 'body'),
  ]);
  const params =
    options.params && printer.expression(options.params, { where: `${key}.params`, direction: 'body' });
  const written = Object.entries(options).map(([option, value]) => [option, literal(value)]);
  const all = {
    ...Object.fromEntries(written),
    expand: expand.length > 0 ? literal(expand) : undefined,
    params,
    bodies: bodies.length > 0 ? members(Object.fromEntries(bodies)) : undefined,
  };
  const rest = members(all);
  const comments = printer.comments(`${api}.${key}`, [
    ...notes,
    ...endless.map(
      (one) => `\`expand\` of \`${one}\`, because the type of a resource that contains itself ends there`,
    ),
  ]);
  const code = [quote(path), declared, ...(rest === '{}' ? [] : [rest])].join(', ');
  return [...comments, `${memberName(key)}: ${printer.use('collection')}(${code})`].join('\n');
};

const printApi = (api: FoundApi, name: string, collections: readonly string[], printer: Printer): string => {
  const schemes = api.auth.length === 0 ? ['custom'] : api.auth;
  const base = api.prefix === '' ? '' : `Its base URL ends with \`${api.prefix}\`.`;
  const unnamed =
    api.auth.length > 0 ? [] : ['the scheme that it takes (§5), because the document names none'];
  const declaration = members({
    name: quote(api.name),
    version: String(api.version),
    auth: literal(schemes.length > 1 ? schemes : schemes[0]),
    collections: braces(collections),
  });
  const code = `export const ${name} = ${printer.use('defineApi')}(${declaration});`;
  return [...docComment(base), ...printer.comments(name, unnamed), code].join('\n');
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** Writes the declarations of a document that {@link loadDocument} read. */
export const importDocument = (document: Json): Imported => {
  const operations = readOperations(document);
  writeReferences(document, operations);
  const model = createModel(document);
  const found = findCollections(operations, model);
  const described = new Map(
    found.apis.map((api) => [api, api.collections.map((one) => describe(one, model))] as const),
  );
  const requests = found.unfit.map((unfit) => {
    const impossible = refuseRequest(unfit, model);
    return { unfit, impossible, request: impossible === undefined ? readRequest(unfit, model) : undefined };
  });

  const unfit: { where: string; reason: string }[] = [];
  const report: Report = (where, reason) => void unfit.push({ where, reason });
  const claim = createClaim(reserved);
  const apiNames = new Map(
    found.apis.map((api) => {
      const isOnly = found.apis.every((other) => other === api || other.name !== api.name);
      const name = isOnly ? api.name : `${api.name} v${api.version}`;
      return [api, claim(toCamelIdentifier(name, 'api'))] as const;
    }),
  );
  const requestNames = found.unfit.map(({ operation: { id, method, path } }) =>
    claim(toCamelIdentifier(id ?? `${method} ${path}`.toLowerCase(), 'request')),
  );
  const ofRequests = requests.flatMap(({ request }) => [
    request?.response,
    ...(request?.arguments ?? []).map(({ of }) => of),
  ]);
  const roots = [
    ...[...described.values()].flat().flatMap(schemasOf),
    ...ofRequests.filter((one) => typeof one === 'object'),
  ];
  const printer = createPrinter(model, roots, claim, report);
  const apis = Array.from(apiNames, ([api, name]) => {
    const collections = described.get(api)?.map((one) => printCollection(one, name, model, printer)) ?? [];
    return printApi(api, name, collections, printer);
  });
  const functions = requests.map(({ unfit: one, impossible, request }, index) => {
    const title = titleOf(one);
    report(title, impossible ?? one.reason);
    if (request === undefined) return `// ${toComment(`${title} is not declared: ${impossible}`, 200)}.`;
    for (const note of request.notes) report(title, note);
    if (one.operation.isDeprecated) report(title, 'the document calls it deprecated');
    return printRequest(one, request, requestNames[index] ?? '', one.api && apiNames.get(one.api), printer);
  });
  const webhooks = Object.keys(objectAt(document, 'webhooks'));
  if (webhooks.length > 0)
    report(`webhooks ${webhooks.join(', ')}`, 'requests of the server to you are no part of a client');

  const server = serverOf(document);
  const collections = found.apis.reduce((sum, { collections: { length } }) => sum + length, 0);
  const counts = [
    count(found.apis.length, 'API'),
    count(collections, 'collection'),
    count(found.unfit.length, 'other operation'),
  ];
  if (server !== undefined && server !== '/')
    counts.push(toComment(`base URL ${originOfServer(server)}${found.prefix || '/'}`));
  return {
    imports: printImports(printer.imports),
    declarations: [...printer.statements, ...apis, ...functions].join('\n\n'),
    unfit,
    summary: counts.join(', '),
  };
};

/** The content of the file. `document` is the name of the document. */
export const writeFileContent = ({ imports, declarations }: Imported, document: string): string =>
  `// Made by \`restkin import ${document}\`.\n${imports}\n\n${declarations}\n`;
