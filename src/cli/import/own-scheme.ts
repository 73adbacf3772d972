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

const isInQuery = ({ type, in: place }: Json): boolean => type === 'apiKey' && place === 'query';

/**
 * How to make the client of an API: for its first scheme that header fields carry, or that is a query
 * parameter; undefined without one that is neither `token` nor `basic`.
 *
 * @param schemes - the names of the declaration; those that are needed together are joined with `+`
 */
export const describeClient = (
  document: Json,
  schemes: readonly string[],
  baseUrl: string,
): string | undefined => {
  const declared = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const partsOf = (name: string): readonly Json[] =>
    name.split('+').map((part) => targetOf(document, declared[part]));
  const isSent = (name: string): boolean => partsOf(name).every((part) => fieldsOf(part) !== undefined);
  const own = schemes.find(isSent) ?? schemes.find((name) => partsOf(name).some(isInQuery));
  if (own === undefined) return undefined;
  const parts = partsOf(own);
  const inQuery = parts.find(isInQuery);
  const fields = parts.map(fieldsOf).filter((field) => field !== undefined);
  const given = fields.length > 0 ? `({ ${fields.join(', ')} })` : 'undefined';
  if (fields.length + (inQuery === undefined ? 0 : 1) < parts.length) return undefined;
  const base = baseUrl === '' ? '' : `baseUrl: ${quote(baseUrl)}, `;
  const client = `createClient({ ${base}auth: { ${memberName(own)}: customAuth(() => ${given}) } })`;
  if (inQuery === undefined) return `Its client: ${client}`;
  const name = stringAt(inQuery, 'name') ?? '';
  return `Its client: ${client}, with a \`fetch\` that adds the query parameter \`${name}\` to each URL`;
};
