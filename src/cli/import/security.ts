// The security schemes of a document: those that an operation takes, and how a client is made for them.
import { tokenPath } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { type Json, listAt, objectAt, stringAt, targetOf } from './json.ts';
import { memberName, quote } from './print/code.ts';

/** The security schemes of a document, by their names. */
const securitySchemesOf = (document: Json): Readonly<Record<string, Json>> => {
  const declared = objectAt(objectAt(document, 'components'), 'securitySchemes');
  return Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, targetOf(document, one)]));
};

/** The flow in which a user logs in with a password. */
const passwordFlowOf = (scheme: Json): Json | undefined =>
  Object.hasOwn(objectAt(scheme, 'flows'), 'password')
    ? objectAt(objectAt(scheme, 'flows'), 'password')
    : undefined;

/** The name of §5 of a scheme, or its own name. */
const authNameOf = (name: string, scheme: Json): string => {
  const kind = stringAt(scheme, 'scheme')?.toLowerCase();
  if (kind === 'basic') return 'basic';
  return kind === 'bearer' || passwordFlowOf(scheme) !== undefined ? 'token' : name;
};

/**
 * The names of §5 of the schemes that an operation takes, or their own names; empty if it is open to
 * everybody.
 */
export const authOf = (document: Json, operation: Json): readonly string[] => {
  const schemes = securitySchemesOf(document);
  const nameOf = (name: string): string => authNameOf(name, objectAt(schemes, name));
  const alternatives = listAt(Array.isArray(operation.security) ? operation : document, 'security');
  const names = alternatives.filter(isObject).map((all) => Object.keys(all).map(nameOf).join('+'));
  return [...new Set(names)].filter((name) => name !== '');
};

/** The options of a login with a password that say where its token endpoint is. */
const placeOfTokens = (scheme: Json, baseUrl: string): readonly string[] => {
  const url = stringAt(passwordFlowOf(scheme) ?? {}, 'tokenUrl') ?? tokenPath;
  const base = URL.canParse(baseUrl) ? `${baseUrl}/` : undefined;
  const whole = url !== tokenPath && URL.canParse(url, base) ? new URL(url, base) : undefined;
  const path = (whole?.pathname ?? url).replace(/^\/+/, '');
  const given = baseUrl.startsWith('/') && url.startsWith('/') ? 'authUrl: origin' : 'authUrl';
  return [
    whole === undefined ? given : `authUrl: ${quote(whole.origin)}`,
    ...(path === tokenPath ? [] : [`tokenPath: ${quote(path)}`]),
  ];
};

/**
 * What logs in with a password, as code: Basic, or a token endpoint that the document names. Undefined for
 * tokens that a user has from elsewhere, such as the keys of many APIs.
 */
const loginOf = (scheme: Json, baseUrl: string): string | undefined => {
  if (stringAt(scheme, 'scheme')?.toLowerCase() === 'basic') return 'basicAuth({ username, password })';
  const isConventional = stringAt(scheme, 'description')?.includes(`/${tokenPath}`) === true;
  if (passwordFlowOf(scheme) === undefined && !isConventional) return undefined;
  return `tokenAuth({ ${[...placeOfTokens(scheme, baseUrl), 'username', 'password'].join(', ')} })`;
};

/** The header field that carries a scheme, as code; undefined for one that no field carries. */
const fieldOf = (scheme: Json): string | undefined => {
  const { type, in: place } = scheme;
  const name = stringAt(scheme, 'name') ?? '';
  const isBearer = stringAt(scheme, 'scheme')?.toLowerCase() === 'bearer';
  if (isBearer || type === 'oauth2' || type === 'openIdConnect') return `authorization: \`Bearer \${token}\``;
  if (type !== 'apiKey') return undefined;
  if (place === 'header') return `${memberName(name.toLowerCase())}: key`;
  return place === 'cookie' ? `cookie: \`${name}=\${key}\`` : undefined;
};

/** The query parameters that carry a scheme. */
const parametersOf = (scheme: Json): readonly string[] =>
  scheme.type === 'apiKey' && scheme.in === 'query' ? [stringAt(scheme, 'name') ?? ''] : [];

/** A scheme of a declaration, as code for a client, and the query parameters that it is sent in. */
interface ReadScheme {
  readonly auth: string;
  readonly parameters: readonly string[];
}

/** How a scheme is sent, or several that are needed together; undefined where that is not known of one. */
const readScheme = (document: Json, name: string, baseUrl: string): ReadScheme | undefined => {
  const all = Object.entries(securitySchemesOf(document));
  const schemes = name.split('+').map((part) => {
    const [, found = {}] = all.find(([own, scheme]) => authNameOf(own, scheme) === part) ?? [];
    return found;
  });
  const [first = {}, ...others] = schemes;
  const login = others.length === 0 ? loginOf(first, baseUrl) : undefined;
  if (login !== undefined) return { auth: login, parameters: [] };
  const fields = schemes.flatMap((one) => fieldOf(one) ?? []);
  const parameters = schemes.flatMap(parametersOf);
  if (fields.length + parameters.length !== schemes.length) return undefined;
  const given = fields.length === 0 ? 'undefined' : `({ ${fields.join(', ')} })`;
  return { auth: `{ ${memberName(name)}: customAuth(() => ${given}) }`, parameters };
};

/** Where the API of a document is, as code: only the user knows the origin that a document leaves out. */
const printBaseUrl = (baseUrl: string): string => {
  if (baseUrl === '') return 'baseUrl';
  return `baseUrl: ${baseUrl.startsWith('/') ? `\`\${origin}${baseUrl}\`` : quote(baseUrl)}`;
};

/**
 * How to make the client of an API: without a scheme, or with the first one that header fields carry.
 * Undefined where none is known.
 *
 * @param schemes - the names of the declaration; those that are needed together are joined with `+`
 */
export const describeClient = (
  document: Json,
  schemes: readonly string[],
  baseUrl: string,
): string | undefined => {
  const lineOf = (auth: string): string =>
    `Its client: createClient({ ${printBaseUrl(baseUrl)}, auth: ${auth} })`;
  if (schemes.length === 0) return lineOf('customAuth(() => undefined)');
  const known = schemes.flatMap((name) => readScheme(document, name, baseUrl) ?? []);
  const own = known.find(({ parameters }) => parameters.length === 0) ?? known[0];
  if (own === undefined) return undefined;
  const { auth, parameters } = own;
  if (parameters.length === 0) return lineOf(auth);
  const names = parameters.map((parameter) => `\`${parameter}\``).join(' and ');
  return `${lineOf(auth)}, with a \`fetch\` that adds the query parameter ${names} to each URL`;
};
