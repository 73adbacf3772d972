import { toPascalCase, toSingular } from '../../../openapi/names.ts';

/** Names that a written program uses itself. */
const used = [
  'CallOptions',
  'Client',
  'Expandable',
  'collection',
  'defineApi',
  'endpoint',
  'expandable',
  'family',
  'openEnum',
  'resource',
  'z',
  'client',
  'body',
  'query',
  'options',
];

/** Words of the language that a strict module cannot declare. */
const keywords = [
  'arguments',
  'await',
  'break',
  'case',
  'catch',
  'class',
  'const',
  'continue',
  'debugger',
  'default',
  'delete',
  'do',
  'else',
  'enum',
  'eval',
  'export',
  'extends',
  'false',
  'finally',
  'for',
  'function',
  'if',
  'implements',
  'import',
  'in',
  'instanceof',
  'interface',
  'let',
  'new',
  'null',
  'package',
  'private',
  'protected',
  'public',
  'require',
  'return',
  'static',
  'super',
  'switch',
  'this',
  'throw',
  'true',
  'try',
  'typeof',
  'undefined',
  'var',
  'void',
  'while',
  'with',
  'yield',
];

/** Names that a program cannot declare, the global ones among them: an export must not shadow `Date`. */
export const reserved: readonly string[] = [...Object.getOwnPropertyNames(globalThis), ...used, ...keywords];

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** A name in Pascal case in camel case: `GetOrder` as `getOrder`, and `HTTPStatus` as `httpStatus`. */
const toCamelCase = (pascal: string): string =>
  pascal.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (start) => start.toLowerCase());

/** A name as the identifier of a schema. */
export const toIdentifier = (name: string, otherwise: string): string =>
  (toPascalCase(name) || otherwise).replace(/^(?=\d)/, '_');

/** A name as the identifier of anything else. */
export const toCamelIdentifier = (name: string, otherwise: string): string => {
  const pascal = toIdentifier(name, otherwise);
  return /^[a-z]/.test(name) ? lowerFirst(pascal) : toCamelCase(pascal);
};

/** How long the name of an API may be that has several words. */
const longestTitle = 30;

/** The title of a document as the identifier of its API: as many of its first words as are short enough. */
export const toTitleIdentifier = (title: string): string => {
  const words = title.replaceAll(/['’]/g, '').split(/[^\p{L}\p{M}\p{N}]+/u);
  const starts = words.map((_, index) => toCamelIdentifier(words.slice(0, index + 1).join(' '), 'api'));
  return starts.findLast(({ length }) => length <= longestTitle) ?? starts[0] ?? 'api';
};

/** The name of a path parameter in camel case. */
export const toParameterName = (name: string): string =>
  toCamelCase(toPascalCase(name)).replace(/^(?=\d|$)/, 'p');

/** The name of a path parameter in a declaration: that of the document, if a declaration can have it. */
export const toPathName = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : toParameterName(name);

/**
 * `cancel` for the action `ordersCancel` of `orders`, and `lock` for `issuesLock` of `repoIssues`: its name
 * below its collection.
 */
export const toActionName = (name: string, path: string, key: string): string => {
  const last = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? '';
  const starts = [key, toCamelIdentifier(key, ''), toCamelIdentifier(last, '')].filter(
    (start) => start !== '' && name.startsWith(start) && /^[A-Z0-9_]/.test(name.slice(start.length)),
  );
  const [start = ''] = starts.toSorted((a, b) => b.length - a.length);
  return lowerFirst(name.slice(start.length)).replace(/^(?=\d)/, '_');
};

/** `companyOrders` for `companies/:companyId/orders`, and `issues` for `issues.json`. */
export const keyOf = (path: string): string => {
  const segments = path.split('/').filter((segment) => !segment.startsWith(':'));
  const names = segments.map((segment) => segment.replace(/\.json$/, ''));
  const words = names.map((name, index) => (index < names.length - 1 ? toSingular(name) : name));
  return toCamelIdentifier(words.join(' '), 'collection');
};
