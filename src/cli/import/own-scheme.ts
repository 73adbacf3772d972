// How a client sends the credentials of a scheme of the document's own: the line that makes one, or what to do.
import { memberName, quote } from './code.ts';
import { type Json, objectAt, stringAt, targetOf } from './json.ts';

/** The header fields of a scheme, as code; undefined for one that no header field carries. */
const fieldsOf = (scheme: Json): string | undefined => {
  const { type, in: place } = scheme;
  const name = stringAt(scheme, 'name') ?? '';
  if (type === 'oauth2' || type === 'openIdConnect') return `authorization: \`Bearer \${token}\``;
  if (type !== 'apiKey') return undefined;
  if (place === 'header') return `${memberName(name.toLowerCase())}: key`;
  return place === 'cookie' ? `cookie: \`${name}=\${key}\`` : undefined;
};

/**
 * How to make the client of an API: for its first scheme that is neither `token` nor `basic`, and undefined
 * without one of which the document says how it is sent.
 *
 * @param schemes - the names of the declaration; those that are needed together are joined with `+`
 */
export const describeClient = (
  document: Json,
  schemes: readonly string[],
  baseUrl: string,
): string | undefined => {
  const declared = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const own = schemes.find((name) => name.split('+').some((part) => Object.hasOwn(declared, part)));
  if (own === undefined) return undefined;
  const parts = own.split('+').map((part) => targetOf(document, declared[part]));
  const inQuery = parts.find((scheme) => scheme.type === 'apiKey' && scheme.in === 'query');
  const fields = parts.map(fieldsOf).filter((field) => field !== undefined);
  const given = fields.length > 0 ? `({ ${fields.join(', ')} })` : 'undefined';
  if (fields.length + (inQuery === undefined ? 0 : 1) < parts.length) return undefined;
  const base = baseUrl === '' ? '' : `baseUrl: ${quote(baseUrl)}, `;
  const client = `createClient({ ${base}auth: { ${memberName(own)}: customAuth(() => ${given}) } })`;
  if (inQuery === undefined) return `Its client: ${client}`;
  const name = stringAt(inQuery, 'name') ?? '';
  return `Its client: ${client}, with a \`fetch\` that adds the query parameter \`${name}\` to each URL`;
};
