// The security schemes of a document: those that an operation takes, and how a client is made for them.
import { isObject } from '../../options.ts';
import { memberName, quote } from './code.ts';
import { type Json, listAt, objectAt, stringAt, targetOf } from './json.ts';

/** The security schemes of a document, by their names. */
const securitySchemesOf = (document: Json): Readonly<Record<string, Json>> => {
  const declared = objectAt(objectAt(document, 'components'), 'securitySchemes');
  return Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, targetOf(document, one)]));
};

/**
 * The names of §5 of the schemes that an operation takes, or their own names; empty if it is open to
 * everybody.
 */
export const authOf = (document: Json, operation: Json): readonly string[] => {
  const schemes = securitySchemesOf(document);
  const schemeOf = (name: string): string => {
    const scheme = objectAt(schemes, name);
    const kind = stringAt(scheme, 'scheme')?.toLowerCase();
    if (kind === 'basic') return 'basic';
    return kind === 'bearer' || Object.hasOwn(objectAt(scheme, 'flows'), 'password') ? 'token' : name;
  };
  const alternatives = listAt(Array.isArray(operation.security) ? operation : document, 'security');
  const names = alternatives.filter(isObject).map((all) => Object.keys(all).map(schemeOf).join('+'));
  return [...new Set(names)].filter((name) => name !== '');
};

/** The header field that carries a scheme, as code; undefined for one that no field carries. */
const fieldOf = (scheme: Json): string | undefined => {
  const { type, in: place } = scheme;
  const name = stringAt(scheme, 'name') ?? '';
  if (type === 'oauth2' || type === 'openIdConnect') return `authorization: \`Bearer \${token}\``;
  if (type !== 'apiKey') return undefined;
  if (place === 'header') return `${memberName(name.toLowerCase())}: key`;
  return place === 'cookie' ? `cookie: \`${name}=\${key}\`` : undefined;
};

/** The query parameters that carry a scheme. */
const parametersOf = (scheme: Json): readonly string[] =>
  scheme.type === 'apiKey' && scheme.in === 'query' ? [stringAt(scheme, 'name') ?? ''] : [];

/** How a scheme is sent, or several that are needed together; undefined where that is not known of one. */
const readScheme = (declared: Json, name: string) => {
  const parts = name.split('+').map((part) => objectAt(declared, part));
  const fields = parts.flatMap((part) => fieldOf(part) ?? []);
  const parameters = parts.flatMap(parametersOf);
  return fields.length + parameters.length === parts.length ? { name, fields, parameters } : undefined;
};

/**
 * How to make the client of an API without a scheme, or with one of its own: the first that header fields
 * carry, or that is a query parameter. Undefined for `token` and `basic`.
 *
 * @param schemes - the names of the declaration; those that are needed together are joined with `+`
 */
export const describeClient = (
  document: Json,
  schemes: readonly string[],
  baseUrl: string,
): string | undefined => {
  const base = baseUrl === '' ? '' : `baseUrl: ${quote(baseUrl)}, `;
  const lineOf = (auth: string): string => `Its client: createClient({ ${base}auth: ${auth} })`;
  if (schemes.length === 0) return lineOf('customAuth(() => undefined)');
  const declared = securitySchemesOf(document);
  const known = schemes.flatMap((name) => readScheme(declared, name) ?? []);
  const own = known.find(({ parameters }) => parameters.length === 0) ?? known[0];
  if (own === undefined) return undefined;
  const { name, fields, parameters } = own;
  const given = fields.length === 0 ? 'undefined' : `({ ${fields.join(', ')} })`;
  const line = lineOf(`{ ${memberName(name)}: customAuth(() => ${given}) }`);
  if (parameters.length === 0) return line;
  const names = parameters.map((parameter) => `\`${parameter}\``).join(' and ');
  return `${line}, with a \`fetch\` that adds the query parameter ${names} to each URL`;
};
