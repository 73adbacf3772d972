import { createClaim, toSingular } from '../../openapi/names.ts';
import type { Found, FoundCollection, Unfit } from './api.ts';
import { arrange, type Roots } from './arrange.ts';
import { braces, literal, memberName, members, quote, toComment } from './code.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import { stringAt } from './json.ts';
import type { Model } from './model.ts';
import { type Declare, printRequest } from './print-request.ts';
import { createPrinter } from './print-schema.ts';

/** All schemas that are printed, without those that they refer to. */
const rootsOf = ({ collections, unfit }: Found): Roots => {
  const requests = unfit.flatMap(({ request }) => (typeof request === 'object' ? [request] : []));
  const bodies = collections.flatMap(({ options }) => [options.params, ...Object.values(options.bodies)]);
  return {
    response: [...collections, ...requests].flatMap(({ response }) => response ?? []),
    body: [...bodies, ...requests.flatMap(({ query, body }) => [query, body])].flatMap((one) => one ?? []),
  };
};

/** The import statements for what a program uses. The compiler of a strict project refuses unused ones. */
const printImports = (used: ReadonlySet<string>): string => {
  const names = [...used].filter((name) => name !== 'z').toSorted();
  const list = names.map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name)).join(', ');
  const ofRestkin = list === '' ? '' : `import { ${list} } from 'restkin';`;
  return used.has('z') ? `${ofRestkin}\nimport * as z from 'zod';` : ofRestkin;
};

/** Prints a program: constants, each after those that it names, APIs and functions. `report` gets what is not declared. */
export const printProgram = (found: Found, model: Model, report: (where: string, reason: string) => void) => {
  const claim = createClaim(reserved);
  const api = claim(toCamelIdentifier(found.name, 'api'));
  const imports = new Set<string>();
  const use = (name: string): string => {
    imports.add(name);
    return name;
  };
  const arranged = arrange(rootsOf(found), model);
  const names = new Map<string, string>();
  for (const [key, { name }] of arranged.order) names.set(key, claim(toIdentifier(name, 'Schema')));
  const { print, canExpand } = createPrinter(arranged, model, names, use);

  const constants = Array.from(arranged.order, ([key, { schema, direction }]) => {
    const code = print(schema, direction, arranged.loose.has(key));
    const value = arranged.late.has(schema) ? `${use('z')}.lazy((): z.core.$ZodType => ${code})` : code;
    return `export const ${names.get(key)} = ${value};`;
  });

  const declare: Declare = (schema, name, direction) => {
    if (schema.$ref !== undefined) return names.get(schema.$ref) ?? '';
    const claimed = claim(toIdentifier(name, 'Schema'));
    constants.push(`export const ${claimed} = ${print(schema, direction)};`);
    return claimed;
  };

  /** Comments on parts that are not declared. */
  const comments = (where: string, reasons: readonly string[]): readonly string[] =>
    reasons.map((reason) => {
      report(where, reason);
      return `// Not declared: ${toComment(reason)}.`;
    });

  const printCollection = (collection: FoundCollection): string => {
    const { path, key, response, options, notes } = collection;
    // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
    const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
    const declared = declare(response, name, 'response');
    const { expand: named = [] } = options;
    const expand = named.filter((one) => canExpand(model.fieldsAlong(response, one) ?? []));
    const untyped = named.filter((one) => !expand.includes(one));
    const bodies = Object.entries(options.bodies).map(([kind, body]) => [
      kind,
      declare(body, name + toIdentifier(kind, ''), 'body'),
    ]);
    const written = Object.entries(options).map(([option, value]) => [option, literal(value)]);
    const rest = members({
      ...Object.fromEntries(written),
      expand: expand.length > 0 ? literal(expand) : undefined,
      params: options.params && print(options.params, 'body'),
      bodies: bodies.length > 0 ? members(Object.fromEntries(bodies)) : undefined,
    });
    const above = comments(`${api}.${key}`, [
      ...notes,
      ...untyped.map((one) => `\`expand\` of \`${one}\`, whose resource contains itself`),
    ]);
    const code = [quote(path), declared, ...(rest === '{}' ? [] : [rest])].join(', ');
    return [...above, `${memberName(key)}: ${use('collection')}(${code})`].join('\n');
  };

  const printApi = (): string => {
    const { name, version, auth, collections } = found;
    const [scheme, ...others] = auth;
    const unnamed = ['the scheme that it takes (§5), because the document names none'];
    const declaration = members({
      name: quote(name),
      version: String(version),
      auth: literal(others.length > 0 ? auth : (scheme ?? 'custom')),
      collections: braces(collections.map(printCollection)),
    });
    const code = `export const ${api} = ${use('defineApi')}(${declaration});`;
    return [...comments(api, scheme === undefined ? unnamed : []), code].join('\n');
  };

  const printUnfit = (unfit: Unfit): string => {
    const { operation, request, reason, isOfApi } = unfit;
    const title = `${operation.method} ${operation.path}`;
    if (typeof request === 'string') {
      report(title, request);
      return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
    }
    for (const one of [reason, ...request.notes]) report(title, one);
    const id = stringAt(operation.value, 'operationId') ?? title.toLowerCase();
    const name = claim(toCamelIdentifier(id, 'request'));
    return printRequest(unfit, request, name, isOfApi ? api : undefined, declare, use);
  };

  const apis = found.collections.length > 0 ? [printApi()] : [];
  const functions = found.unfit.map(printUnfit);
  return { imports: printImports(imports), declarations: [...constants, ...apis, ...functions].join('\n\n') };
};
