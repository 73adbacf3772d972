import { createClaim, toSingular } from '../../openapi/names.ts';
import { braces, docComment, literal, memberName, members, quote, toComment } from './code.ts';
import type { Found, FoundApi, FoundCollection, Unfit } from './collections.ts';
import { keyOf, reserved, toCamelIdentifier, toIdentifier } from './identifiers.ts';
import type { Model } from './model.ts';
import { printRequest } from './print-request.ts';
import { createPrinter, type ImportedName, type Printer, type Report } from './print-schema.ts';
import type { Schema } from './schema.ts';

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

const printCollection = (
  { path, key, resource, options, notes }: FoundCollection,
  api: string,
  model: Model,
  printer: Printer,
) => {
  // What the items are called: `CompanyOrder` for `companies/:companyId/orders`.
  const name = toIdentifier(toSingular(keyOf(path)), 'Resource');
  const declared = printer.declare(resource, name, 'response');
  const expand = options.expand.filter((one) => printer.canExpand(model.fieldsAlong(resource, one) ?? []));
  const untyped = options.expand.filter((one) => !expand.includes(one));
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
    ...untyped.map(
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

/** All schemas that are printed, without those that they refer to. */
const schemasOf = ({ apis, unfit }: Found): readonly Schema[] => {
  const collections = apis.flatMap((api) => api.collections);
  const requests = unfit.flatMap(({ request }) => (typeof request === 'object' ? [request] : []));
  return [
    ...collections.flatMap(({ resource, options }) => [
      resource,
      options.params,
      ...Object.values(options.bodies),
    ]),
    ...requests.flatMap((one) => [one.response, ...one.arguments.map(({ of }) => of)]),
  ].filter((one) => typeof one === 'object');
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
  const printer = createPrinter(model, schemasOf(found), claim, report);
  const printUnfit = (unfit: Unfit): string => {
    const { operation, request, reason, api } = unfit;
    const title = `${operation.method} ${operation.path}`;
    if (typeof request === 'string') {
      report(title, request);
      return `// ${toComment(`${title} is not declared: ${request}`, 200)}.`;
    }
    const deprecated = operation.isDeprecated ? ['the document calls it deprecated'] : [];
    for (const one of [reason, ...request.notes, ...deprecated]) report(title, one);
    return printRequest(unfit, request, requestNames.get(unfit) ?? '', api && apiNames.get(api), printer);
  };
  const apis = Array.from(apiNames, ([api, name]) => {
    const collections = api.collections.map((one) => printCollection(one, name, model, printer));
    return printApi(api, name, collections, printer);
  });
  const functions = found.unfit.map(printUnfit);
  return {
    imports: printImports(printer.imports),
    declarations: [...printer.statements, ...apis, ...functions].join('\n\n'),
  };
};
