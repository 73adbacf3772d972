import { createClaim, toSingular } from '../../openapi/names.ts';
import type { Found, FoundApi, Unfit } from './apis.ts';
import { arrange, type Root } from './arrange.ts';
import { braces, docComment, literal, memberName, members, quote, toComment } from './code.ts';
import type { FoundCollection } from './collections.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import type { Model } from './model.ts';
import { type Declare, printRequest } from './print-request.ts';
import { createPrinter, type ImportedName } from './print-schema.ts';
import type { Schema } from './schema.ts';

/** Reports a part of the document that is not declared. */
export type Report = (where: string, reason: string) => void;

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

/** All schemas that are printed, without those that they refer to. */
const rootsOf = ({ apis, unfit }: Found): readonly Root[] => {
  const collections = apis.flatMap((api) => api.collections);
  const requests = unfit.flatMap(({ request }) => (typeof request === 'object' ? [request] : []));
  const responses = [...collections.map((one) => one.resource), ...requests.map((one) => one.response)];
  const bodies = [
    ...collections.flatMap(({ options }) => [options.params, ...Object.values(options.bodies)]),
    ...requests.flatMap((one) => one.arguments.map(({ of }) => of)),
  ];
  const isSchema = (one: Schema | string | undefined): one is Schema => typeof one === 'object';
  return [
    ...responses.filter(isSchema).map((schema): Root => ({ schema, direction: 'response' })),
    ...bodies.filter(isSchema).map((schema): Root => ({ schema, direction: 'body' })),
  ];
};

/** Prints a program. Its constants stand first, each after those that it names. */
export const printProgram = (found: Found, model: Model, report: Report) => {
  const claim = createClaim(reserved);
  const apiNames = new Map(
    found.apis.map((api) => {
      const isOnly = found.apis.every((other) => other === api || other.name !== api.name);
      const name = isOnly ? api.name : `${api.name} v${api.version}`;
      return [api, claim(toCamelIdentifier(name, 'api'))] as const;
    }),
  );
  const requestNames = new Map(
    found.unfit.map((unfit) => {
      const { id, method, path } = unfit.operation;
      return [unfit, claim(toCamelIdentifier(id ?? `${method} ${path}`.toLowerCase(), 'request'))] as const;
    }),
  );
  const imports = new Set<ImportedName>();
  const use = (name: ImportedName): string => {
    imports.add(name);
    return name;
  };
  const arranged = arrange(rootsOf(found), model);
  const claimSchema = (name: string): string => {
    const identifier = toIdentifier(name, 'Schema');
    return claim(identifier, `${identifier}Schema`);
  };
  const names = new Map(
    arranged.order.map((key) => [key, claimSchema(model.components.get(key)?.name ?? '')]),
  );
  const { print, canExpand } = createPrinter(arranged, model, names, use);

  const constants = Array.from(names, ([key, name]) => {
    const { schema, direction } = model.components.get(key) ?? { schema: {}, direction: 'response' };
    const code = print(schema, direction, arranged.loose.has(key));
    const value = arranged.late.has(schema) ? `${use('z')}.lazy((): z.core.$ZodType => ${code})` : code;
    return [...docComment(schema.description), `export const ${name} = ${value};`].join('\n');
  });

  const declare: Declare = (schema, name, direction) => {
    if (schema.$ref !== undefined) return names.get(schema.$ref) ?? '';
    const claimed = claimSchema(name);
    constants.push(`export const ${claimed} = ${print(schema, direction)};`);
    return claimed;
  };

  /** Comments on parts that are not declared. */
  const comments = (where: string, reasons: readonly string[]): readonly string[] =>
    reasons.map((reason) => {
      report(where, reason);
      return `// Not declared: ${toComment(reason)}.`;
    });

  const printCollection = ({ path, key, resource, options, notes }: FoundCollection, api: string): string => {
    // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
    const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
    const declared = declare(resource, name, 'response');
    const expand = options.expand.filter((one) => canExpand(model.fieldsAlong(resource, one) ?? []));
    const untyped = options.expand.filter((one) => !expand.includes(one));
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
      ...untyped.map(
        (one) => `\`expand\` of \`${one}\`, because the type of a resource that contains itself ends there`,
      ),
    ]);
    const code = [quote(path), declared, ...(rest === '{}' ? [] : [rest])].join(', ');
    return [...above, `${memberName(key)}: ${use('collection')}(${code})`].join('\n');
  };

  const printApi = (api: FoundApi, name: string): string => {
    const [scheme, ...others] = api.auth;
    const unnamed = ['the scheme that it takes (§5), because the document names none'];
    const declaration = members({
      name: quote(api.name),
      version: String(api.version),
      auth: literal(others.length > 0 ? api.auth : (scheme ?? 'custom')),
      collections: braces(api.collections.map((one) => printCollection(one, name))),
    });
    const code = `export const ${name} = ${use('defineApi')}(${declaration});`;
    return [...comments(name, scheme === undefined ? unnamed : []), code].join('\n');
  };

  const printUnfit = (unfit: Unfit): string => {
    const { operation, request, reason, api } = unfit;
    const title = `${operation.method} ${operation.path}`;
    if (typeof request === 'string') {
      report(title, request);
      return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
    }
    for (const one of [reason, ...request.notes]) report(title, one);
    const name = requestNames.get(unfit) ?? '';
    return printRequest(unfit, request, name, api && apiNames.get(api), declare, use);
  };

  const apis = Array.from(apiNames, ([api, name]) => printApi(api, name));
  const functions = found.unfit.map(printUnfit);
  return { imports: printImports(imports), declarations: [...constants, ...apis, ...functions].join('\n\n') };
};
