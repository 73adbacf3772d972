import { createClaim, toSingular } from '../../openapi/names.ts';
import type { Found, FoundEndpoint, Unfit } from './api.ts';
import { arrange } from './arrange.ts';
import { braces, literal, literals, memberName, members, quote, toComment } from './code.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { stringAt } from './json.ts';
import { lossesOf } from './losses.ts';
import type { Model } from './model.ts';
import type { Operation } from './operations.ts';
import { type Declare, printEndpoint, printRequest } from './print-request.ts';
import { createPrinter } from './print-schema.ts';
import type { Schema } from './schema.ts';

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const printImports = (used: ReadonlySet<string>): string => {
  const names = [...used].filter((name) => name !== 'z').toSorted();
  const list = names.map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name)).join(', ');
  const ofRestkin = list === '' ? '' : `import { ${list} } from 'restkin';`;
  return used.has('z') ? `${ofRestkin}\nimport * as z from 'zod';` : ofRestkin;
};

const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** What an operation is called: by the document, or by its method and path. */
const idOf = (operation: Operation): string =>
  stringAt(operation.value, 'operationId') ?? titleOf(operation).toLowerCase();

/**
 * Prints a program: constants, each after those that it names, APIs and functions; and what is not declared.
 */
export const printProgram = (found: Found, model: Model) => {
  const unfit: { readonly where: string; readonly reason: string }[] = [];
  const claim = createClaim(reserved);
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

  const printCollection = (collection: Found['collections'][number]): string => {
    const { path, key, response, options, params, repeated, bodies, notes } = collection;
    // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
    const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
    const declared = declare(response, name, 'response');
    const { expand: named = [] } = options;
    const expand = named.filter((one) => canExpand(model.fieldsAlong(response, one) ?? []));
    const untyped = named.filter((one) => !expand.includes(one));
    const ownBodies = bodies.map(
      ({ kind, body }) => `${kind}: ${declare(body, name + toIdentifier(kind, ''), 'body')}`,
    );
    const rest = members({
      ...literals({ ...options, expand: expand.length > 0 ? expand : undefined }),
      params: params && print(params, 'body'),
      repeated: literal(repeated),
      bodies: ownBodies.length > 0 ? braces(ownBodies) : undefined,
    });
    const reasons = [
      ...notes,
      ...untyped.map((one) => `\`expand\` of \`${one}\`, whose resource contains itself`),
    ];
    const code = [quote(path), declared, ...(rest === '{}' ? [] : [rest])].join(', ');
    const above = reasons.map((reason) => comment(`${api}.${key}`, reason));
    const lost = params === undefined ? [] : lossesIn(params, `${api}.${key}`);
    return [...above, ...lost, `${memberName(key)}: ${use('collection')}(${code})`].join('\n');
  };

  // The keys of collections and endpoints are the names of one client.
  const claimKey = createClaim(['then', '__proto__', ...found.collections.map(({ key }) => key)]);

  const printDeclared = (declared: FoundEndpoint): string => {
    const { operation, request, reason } = declared;
    const key = claimKey(toCamelIdentifier(idOf(operation), 'request'));
    // Without versions nothing is part of a collection.
    const why = found.version === 0 ? [] : [`// Not part of a collection: ${toComment(reason)}.`];
    const notes = request.notes.map((note) => comment(`${api}.${key}`, note));
    return [...why, ...notes, printEndpoint(declared, key, declare, use)].join('\n');
  };

  const printApi = (): string => {
    const { name, version, auth, collections, endpoints, notes } = found;
    const declaration = members({
      name: quote(name),
      version: version === 0 ? undefined : String(version),
      auth: literal(auth.length > 1 ? auth : auth[0]),
      collections: braces(collections.map(printCollection)),
      endpoints: endpoints.length > 0 ? braces(endpoints.map(printDeclared)) : undefined,
    });
    // The paths of the conventions have a version (§9).
    const define = version === 0 ? `${use('family')}({ path: '' }).defineApi` : use('defineApi');
    const code = `export const ${api} = ${define}(${declaration});`;
    return [...notes.map((note) => comment(api, note)), code].join('\n');
  };

  const printUnfit = (misfit: Unfit): string => {
    const { operation, request, reason, isOfApi } = misfit;
    const title = titleOf(operation);
    const reasons = typeof request === 'string' ? [request] : [reason, ...request.notes];
    unfit.push(...reasons.map((one) => ({ where: title, reason: one })));
    if (typeof request === 'string') return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
    const name = claim(toCamelIdentifier(idOf(operation), 'request'));
    return printRequest(misfit, request, name, isOfApi && hasApi ? api : undefined, declare, use);
  };

  const hasApi = found.collections.length + found.endpoints.length > 0;
  const apis = hasApi ? [printApi()] : [];
  const functions = found.unfit.map(printUnfit);
  const declarations = [...constants, ...apis, ...functions].join('\n\n');
  return { imports: printImports(imports), declarations, unfit };
};
