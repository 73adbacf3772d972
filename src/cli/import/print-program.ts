import { createClaim, toSingular } from '../../openapi/names.ts';
import type { Found, FoundEndpoint, Unfit } from './api.ts';
import { arrange } from './arrange.ts';
import { braces, literal, literals, memberName, members, membersOf, quote, toComment } from './code.ts';
import { isActionName } from './endpoints.ts';
import { type ChosenFamily, isConventional } from './families.ts';
import { declaredEndpoint } from './groups.ts';
import { keyOf, reserved, toActionName, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { stringAt } from './json.ts';
import { lossesOf } from './losses.ts';
import type { Model } from './model.ts';
import type { Operation } from './operations.ts';
import { type Declare, printEndpoint, printRequest } from './print-request.ts';
import { createPrinter } from './print-schema.ts';
import type { Renamed } from './renamed.ts';
import type { Schema } from './schema.ts';

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

const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** What the document calls an operation. */
const idOf = ({ value }: Operation): string | undefined => stringAt(value, 'operationId');

/** The name of an operation: that of the document, or its method and path. */
const nameOf = (operation: Operation): string =>
  toCamelIdentifier(idOf(operation) ?? titleOf(operation).toLowerCase(), 'request');

/** The name of a declaration that the document was made from. */
const declaredName = ({ value }: Operation): string | undefined => stringAt(value, 'x-restkin-name');

/** What the document calls a component; its own name for one that was made from another. */
const schemaNameOf = (key: string, name: string): string =>
  /^#\/\S+$/.test(key) ? (key.split('/').at(-1) ?? '') : name;

/**
 * Prints a program: constants, each after those that it names, APIs and functions; and what is not declared.
 */
export const printProgram = (
  found: Found,
  model: Model,
  { preset: name, family, differences }: ChosenFamily,
) => {
  const unfit: { readonly where: string; readonly reason: string }[] = [];
  const preset = isConventional(family) ? undefined : name;
  const claim = createClaim(preset === undefined ? reserved : [...reserved, preset]);
  const api = claim(toCamelIdentifier(found.name, 'api'));
  const imports = new Set<string>();
  /** Names an import, which the program then has. */
  const use = (name: string): string => {
    imports.add(name);
    return name;
  };
  const arranged = arrange(found, model);
  const names = new Map<string, string>();
  for (const [key, { name }] of arranged.order) names.set(key, claim(toIdentifier(name, 'Schema')));
  const renamed: Renamed[] = Array.from(names, ([key, to]) => ({
    what: 'schema',
    from: schemaNameOf(key, to),
    to,
  }));
  const renameOperation = (operation: Operation, to: string): void => {
    renamed.push({ what: 'operation', from: idOf(operation) ?? to, to });
  };
  const { print, canExpand } = createPrinter(arranged, model, names, use);

  /** A comment on a part that is not declared. */
  const comment = (where: string, reason: string, shown = reason): string => {
    unfit.push({ where, reason });
    return `// Not declared: ${toComment(shown)}.`;
  };

  /** Comments on what a schema does not say of the document. */
  const lossesIn = (schema: Schema, owner: string): readonly string[] =>
    lossesOf(schema).map(({ path, reason }) =>
      path === '' ? comment(owner, reason) : comment(`${owner}.${path}`, reason, `\`${path}\`: ${reason}`),
    );

  const printConstant = (name: string, schema: Schema, value: string): string =>
    [...lossesIn(schema, name), `export const ${name} = ${value};`].join('\n');

  const constants = Array.from(arranged.order, ([key, { schema, direction }]) => {
    const code = print(schema, direction, arranged.loose.has(key));
    const value = arranged.late.has(schema) ? `${use('z')}.lazy((): z.core.$ZodType => ${code})` : code;
    return printConstant(names.get(key) ?? '', schema, value);
  });

  const declare: Declare = (schema, name, direction) => {
    if (schema.$ref !== undefined) return names.get(model.keyOf(schema.$ref)) ?? '';
    const claimed = claim(toIdentifier(name, 'Schema'));
    constants.push(printConstant(claimed, schema, print(schema, direction)));
    return claimed;
  };

  /** The nested resources that a response may expand, and comments on those that the compiler cannot see. */
  const splitExpand = (response: Schema, named: readonly string[] = [], owner: string) => {
    const expand = named.filter((one) => canExpand(model.fieldsAlong(response, one) ?? []));
    const untyped = named.filter((one) => !expand.includes(one));
    const reasons = untyped.map((one) => `\`expand\` of \`${one}\`, whose resource contains itself`);
    return { expand, comments: reasons.map((reason) => comment(owner, reason)) };
  };

  /** @param above - the key of the collection of an action */
  const printDeclared = (declared: FoundEndpoint, key: string, above?: string): string => {
    const { request, reason, expand: named } = declared;
    const where = above === undefined ? `${api}.${key}` : `${api}.${above}.${key}`;
    // An API without versions that has no collection is none of the conventions, and has nothing but endpoints.
    const isPlain = found.version === undefined && found.collections.length === 0;
    const isUsual = isPlain || above !== undefined || reason === declaredEndpoint;
    const why = isUsual ? [] : [`// Not part of a collection: ${toComment(reason)}.`];
    const notes = request.notes.map((note) => comment(where, note));
    const { expand, comments } = splitExpand(request.response ?? {}, named, where);
    const owner = toIdentifier(above === undefined ? key : `${above} ${key}`, 'Request');
    return [...why, ...notes, ...comments, printEndpoint(declared, key, owner, expand, declare, use)].join(
      '\n',
    );
  };

  const printActions = ({ key: above, path }: Found['collections'][number]): string | undefined => {
    const actions = found.endpoints.filter(({ collection }) => collection === above);
    const names = actions.map(({ operation, path: own }) => {
      const declared = declaredName(operation);
      if (declared !== undefined) return declared;
      const id = idOf(operation) ?? `${operation.method} ${own}`.toLowerCase();
      return toActionName(toCamelIdentifier(id, 'action'), path, above);
    });
    // Such as `list`, which a collection of the client has already.
    const claimName = createClaim(names.filter((name) => !isActionName(name)));
    const printed = actions.map((action, index) => {
      const name = claimName(names[index] ?? '');
      const id = idOf(action.operation);
      // In camel case, an id begins with the name of the collection.
      if (id !== undefined && id !== toCamelIdentifier(id, ''))
        renameOperation(action.operation, `${above}.${name}`);
      return printDeclared(action, name, above);
    });
    return printed.length > 0 ? braces(printed) : undefined;
  };

  const printCollection = (collection: Found['collections'][number]): string => {
    const { path, key, response, options, params, repeated, bodies, notes } = collection;
    // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
    const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
    const declared = declare(response, name, 'response');
    const { expand, comments } = splitExpand(response, options.expand, `${api}.${key}`);
    const ownBodies = bodies.map(
      ({ kind, body }) => `${kind}: ${declare(body, name + toIdentifier(kind, ''), 'body')}`,
    );
    const rest = members({
      ...literals({ ...options, expand: expand.length > 0 ? expand : undefined }),
      params: params && print(params, 'body'),
      repeated: literal(repeated),
      bodies: ownBodies.length > 0 ? braces(ownBodies) : undefined,
      actions: printActions(collection),
    });
    const code = [quote(path), declared, ...(rest === '{}' ? [] : [rest])].join(', ');
    const above = [...notes.map((reason) => comment(`${api}.${key}`, reason)), ...comments];
    const lost = params === undefined ? [] : lossesIn(params, `${api}.${key}`);
    return [...above, ...lost, `${memberName(key)}: ${use('collection')}(${code})`].join('\n');
  };

  // The keys of collections and endpoints are the names of one client.
  const claimKey = createClaim(['then', '__proto__', ...found.collections.map(({ key }) => key)]);

  const printEndpoints = (): string | undefined => {
    const endpoints = found.endpoints.filter(({ collection }) => collection === undefined);
    const printed = endpoints.map((one) => {
      const key = claimKey(declaredName(one.operation) ?? nameOf(one.operation));
      renameOperation(one.operation, key);
      return printDeclared(one, key);
    });
    return printed.length > 0 ? braces(printed) : undefined;
  };

  const printApi = (): string => {
    const { name, version, auth, collections, notes, client } = found;
    const declaration = members({
      name: quote(name),
      version: literal(version),
      auth: literal(auth.length > 1 ? auth : auth[0]),
      collections: braces(collections.map(printCollection)),
      endpoints: printEndpoints(),
    });
    const code = `export const ${api} = ${use('defineApi')}(${declaration});`;
    const ofClient = client === undefined ? [] : [`// ${toComment(client, 300)}.`];
    return [...notes.map((note) => comment(api, note)), ...ofClient, code].join('\n');
  };

  const printUnfit = (misfit: Unfit): string => {
    const { operation, request, reason, isOfApi } = misfit;
    const title = titleOf(operation);
    const reasons = typeof request === 'string' ? [request] : [reason, ...request.notes];
    unfit.push(...reasons.map((one) => ({ where: title, reason: one })));
    if (typeof request === 'string') return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
    const name = claim(nameOf(operation));
    renameOperation(operation, name);
    return printRequest(misfit, request, name, isOfApi && hasApi ? api : undefined, declare, use);
  };

  /** The functions that declare the API of a family. */
  const printBuilders = (preset: string): readonly string[] => {
    const used = builders.filter((one) => imports.has(one));
    if (used.length === 0) return [];
    const changes = membersOf(literals(differences));
    // A part that is left out is that of the conventions.
    const start = preset === 'conventions' ? [] : [`...${use(preset)}`];
    const given = changes.length === 0 ? use(preset) : braces([...start, ...changes]);
    return [`const { ${used.join(', ')} } = ${use('family')}(${given});`];
  };

  const hasApi = found.collections.length + found.endpoints.length > 0;
  const apis = hasApi ? [printApi()] : [];
  const functions = found.unfit.map(printUnfit);
  const ofFamily = preset === undefined ? [] : printBuilders(preset);
  const declarations = [...ofFamily, ...constants, ...apis, ...functions].join('\n\n');
  return { imports: printImports(imports, preset), declarations, unfit, renamed };
};
