import { createClaim } from '../../../openapi/names.ts';
import type { Found, Unfit } from '../api/api.ts';
import { declaredNameOf, idOf, type Operation, titleOf } from '../api/operations.ts';
import type { ChosenFamily } from '../families/choose.ts';
import type { Model } from '../model.ts';
import { braces, literal, literals, members, membersOf, quote, toComment } from './code.ts';
import { printCollection } from './collection.ts';
import { printEndpoint } from './endpoint.ts';
import { toCamelIdentifier } from './identifiers.ts';
import { createProgram, type Program } from './program.ts';
import { printRequest } from './request.ts';

/** What `family` of `restkin` makes for one family. */
const builders = ['collection', 'defineApi', 'expandable', 'resource'];

const printImport = (names: readonly string[], from: string): readonly string[] => {
  const list = names.toSorted().map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name));
  return names.length === 0 ? [] : [`import { ${list.join(', ')} } from '${from}';`];
};

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const printImports = (used: ReadonlySet<string>, preset: string | undefined): string => {
  const isBuilt = (name: string): boolean => preset !== undefined && builders.includes(name);
  const names = [...used].filter((name) => name !== 'z' && name !== preset && !isBuilt(name));
  return [
    ...printImport(names, 'restkin'),
    ...(preset !== undefined && used.has(preset) ? printImport([preset], 'restkin/families') : []),
    ...(used.has('z') ? ["import * as z from 'zod';"] : []),
  ].join('\n');
};

/** The functions that declare the API of a family. */
const printBuilders = ({ imports, use, chosen, ownFamilies }: Program, preset: string): readonly string[] => {
  const { differences } = chosen;
  const { base, statements } = ownFamilies;
  const used = builders.filter((one) => imports.has(one));
  if (used.length === 0) return [];
  const changes = membersOf(literals(differences));
  // A part that is left out is that of the conventions.
  const start = preset === 'conventions' ? [] : [`...${use(preset)}`];
  const given = changes.length === 0 ? use(preset) : braces([...start, ...changes]);
  const isNamed = base !== undefined && changes.length > 0;
  return [
    ...(isNamed ? [`const ${base} = ${given} as const;`] : []),
    `const { ${used.join(', ')} } = ${use('family')}(${isNamed ? base : given});`,
    ...statements,
  ];
};

/** The name of an operation: that of the document, or its method and path. */
const nameOf = (operation: Operation, path = operation.path): string =>
  toCamelIdentifier(idOf(operation) ?? `${operation.method} ${path}`.toLowerCase(), 'request');

const printEndpoints = (program: Program): string | undefined => {
  const { collections, endpoints } = program.found;
  // The keys of collections and endpoints are the names of one client.
  const claimKey = createClaim(['then', '__proto__', ...collections.map(({ key }) => key)]);
  const printed = endpoints
    .filter(({ collection }) => collection === undefined)
    .map((endpoint) => {
      const { operation, path } = endpoint;
      const key = claimKey(declaredNameOf(operation) ?? nameOf(operation, path));
      program.renameOperation(operation, key);
      return printEndpoint(program, endpoint, key);
    });
  return printed.length > 0 ? braces(printed) : undefined;
};

const printApi = (program: Program): string => {
  const { api, use, comment } = program;
  const { name, version, auth, collections, notes, client } = program.found;
  const declaration = members({
    name: quote(name),
    version: literal(version),
    auth: literal(auth.length > 1 ? auth : auth[0]),
    collections: braces(collections.map((collection) => printCollection(program, collection))),
    endpoints: printEndpoints(program),
  });
  return [
    ...notes.map((note) => comment(api, note)),
    ...(client === undefined ? [] : [`// ${toComment(client, 300)}.`]),
    `export const ${api} = ${use('defineApi')}(${declaration});`,
  ].join('\n');
};

/**
 * Prints an operation that is not declared: a function, or a comment where `client.request` cannot send it.
 */
const printUnfit = (program: Program, unfit: Unfit, hasApi: boolean): string => {
  const { operation, request, reason, isOfApi } = unfit;
  const title = titleOf(operation);
  const reasons = typeof request === 'string' ? [request] : [reason, ...request.notes];
  for (const one of reasons) program.report(title, one);
  if (typeof request === 'string') return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
  const name = program.claim(nameOf(operation));
  program.renameOperation(operation, name);
  return printRequest(program, unfit, request, name, isOfApi && hasApi);
};

/**
 * Prints a program: constants, each after those that it names, APIs and functions; and what is not declared.
 */
export const printProgram = (found: Found, model: Model, chosen: ChosenFamily) => {
  const program = createProgram(found, model, chosen);
  const { preset } = program;
  const hasApi = found.collections.length + found.endpoints.length > 0;
  const apis = hasApi ? [printApi(program)] : [];
  const functions = found.unfit.map((unfit) => printUnfit(program, unfit, hasApi));
  // Printed last, because they are only those that the rest uses.
  const ofFamily = preset === undefined ? [] : printBuilders(program, preset);
  const { imports, constants, undeclared, renamed } = program;
  return {
    imports: printImports(imports, preset),
    declarations: [...ofFamily, ...constants, ...apis, ...functions].join('\n\n'),
    undeclared,
    renamed,
  };
};
