import type { FoundEndpoint } from '../api/api.ts';
import { declaredEndpoint } from '../api/groups.ts';
import type { Schema } from '../schemas/schema.ts';
import { literal, memberName, members, quote, toComment } from './code.ts';
import { toIdentifier } from './identifiers.ts';
import type { Program } from './program.ts';

/** The nested resources that a response may expand, and comments on those that the compiler cannot see. */
export const splitExpand = (
  { model, canExpand, comment }: Program,
  response: Schema,
  named: readonly string[] = [],
  owner: string,
) => {
  const expand = named.filter((one) => canExpand(model.fieldsAlong(response, one) ?? []));
  const untyped = named.filter((one) => !expand.includes(one));
  const reasons = untyped.map((one) => `\`expand\` of \`${one}\`, whose resource contains itself`);
  return { expand, comments: reasons.map((reason) => comment(owner, reason)) };
};

/**
 * Prints the call of `endpoint`.
 *
 * @param owner - what the names of its schemas start with
 * @param expand - what the compiler can expand of its response
 */
const printCall = (
  { use, declare }: Program,
  { operation, path, request }: FoundEndpoint,
  owner: string,
  expand: readonly string[],
): string => {
  const { query, repeated, trailingSlash, body, isBodyOptional, instance, contentType } = request;
  const { response, accept, as, fields, isAccepted } = request;
  const bodyOf = (schema: Schema): string => {
    const code = instance ? `${use('z')}.instanceof(${instance})` : declare(schema, `${owner}Body`, 'body');
    return isBodyOptional ? `${use('z')}.optional(${code})` : code;
  };
  const options = members({
    query: query && declare(query, `${owner}Query`, 'body'),
    repeated: literal(repeated),
    trailingSlash: literal(trailingSlash),
    body: body && bodyOf(body),
    contentType: literal(contentType),
    response: response && declare(response, `${owner}Response`, 'response'),
    accept: literal(accept),
    as: literal(as),
    fields: literal(fields),
    expand: expand.length > 0 ? literal(expand) : undefined,
    accepts: isAccepted ? 'true' : undefined,
  });
  const given = [quote(operation.method), quote(path), ...(options === '{}' ? [] : [options])];
  return `${use('endpoint')}(${given.join(', ')})`;
};

/** Whether a reader expects an operation among endpoints, so that no comment has to say why it is there. */
const isExpected = ({ reason }: FoundEndpoint, { found }: Program): boolean => {
  // Such an API is not one of the conventions, and has nothing but endpoints.
  const isPlain = found.version === undefined && found.collections.length === 0;
  return isPlain || reason === declaredEndpoint;
};

/**
 * Prints an operation as a member of the `endpoints` of its API, or of the `actions` of a collection, with
 * comments on what it does not declare.
 *
 * @param collection - the key of the collection of an action
 */
export const printEndpoint = (
  program: Program,
  endpoint: FoundEndpoint,
  key: string,
  collection?: string,
): string => {
  const { api, comment } = program;
  const { request, reason, expand: named } = endpoint;
  const where = collection === undefined ? `${api}.${key}` : `${api}.${collection}.${key}`;
  const owner = toIdentifier(collection === undefined ? key : `${collection} ${key}`, 'Request');
  const isSaid = collection === undefined && !isExpected(endpoint, program);
  const why = isSaid ? [`// Not part of a collection: ${toComment(reason)}.`] : [];
  const notes = request.notes.map((note) => comment(where, note));
  const { expand, comments } = splitExpand(program, request.response ?? {}, named, where);
  const member = `${memberName(key)}: ${printCall(program, endpoint, owner, expand)}`;
  return [...why, ...notes, ...comments, member].join('\n');
};
