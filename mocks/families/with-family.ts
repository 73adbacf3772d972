import { listSeparator } from '../../src/conventions.ts';
import type { WholeFamily } from '../../src/families/family.ts';
import { nextAfterLastOf, offsetParameterOf } from '../../src/families/list-form.ts';
import { isObject } from '../../src/options.ts';
import { writeIds } from '../../src/schema/ids.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { Call, Stage } from '../exchange.ts';
import { errorResponse } from '../message.ts';
import { get } from '../operations/read.ts';
import { showRelations, withReferences } from './relations.ts';
import { isOwnParameter, toConventionsContent, toConventionsUrl } from './request.ts';
import { toErrorResponse, toListResponse, toResourceResponse } from './response.ts';

const toConventionsCall = (call: Call, family: WholeFamily): Call => {
  const { declaration, resource } = call.route.collection;
  const { options } = declaration;
  const { lastId = '' } = nextAfterLastOf(family.list) ?? {};
  const sent = (parameter: string): string | null =>
    isOwnParameter(options, parameter) ? null : call.url.searchParams.get(parameter);
  const offset = offsetParameterOf(family.list) ?? '';
  const before = sent(offset);
  return {
    ...call,
    afterId: sent(lastId) ?? undefined,
    offset: before === null ? undefined : { parameter: offset, value: before },
    url: toConventionsUrl(call.url, family, options, resource),
    content: async () => toConventionsContent(await call.content(), family, resource),
  };
};

/** The names in the `expand` of a URL of the conventions. */
const expandIn = ({ searchParams }: URL): readonly string[] =>
  searchParams.get('expand')?.split(listSeparator) ?? [];

/** A row, or the rows of a list, with relations and ids as the family has them. */
export const toShown = (body: unknown, { route, url }: Call, family: WholeFamily): unknown => {
  const { resource } = route.collection;
  const hasReferences = family.unexpanded === 'reference';
  const shown = hasReferences ? body : showRelations(body, resource, expandIn(url), family);
  return writeIds(shown, resource, family.idField);
};

/**
 * A value that is made for a schema, with relations as the family has them: it is made with whole ones, as
 * rows have, and shown like these.
 */
export const makeShown = (
  schema: Schema,
  url: URL,
  family: WholeFamily | undefined,
  make: (schema: Schema) => unknown,
): unknown => {
  if (family === undefined || family.unexpanded === 'reference') return make(schema);
  const inside = withReferences(schema);
  return showRelations(make(inside), inside, expandIn(url), family);
};

/** The rows of a list. A server that implies no identity leaves out the `id` that `fields` does not name. */
const toRows = (
  rows: readonly unknown[],
  { url, route }: Call,
  { impliesIdentity, idField }: WholeFamily,
) => {
  const { options } = route.collection.declaration;
  // Without the option, it is a parameter of the collection's own.
  const fields = options.fields && url.searchParams.get('fields')?.split(listSeparator);
  if (impliesIdentity || fields === undefined || fields.includes('id')) return rows;
  return rows.map((row) => {
    if (!isObject(row)) return row;
    const { [idField]: _id, ...rest } = row;
    return rest;
  });
};

/** The resource after a PUT or PATCH, for a family whose servers respond with it. */
const getWritten = async (call: Call): Promise<Response> => {
  const url = new URL(call.url);
  url.search = '';
  const request = new Request(url, { headers: call.request.headers });
  return get({ ...call, url, request });
};

const toFamilyResponse = async (
  translated: Call,
  call: Call,
  response: Response,
  family: WholeFamily,
): Promise<Response> => {
  const { method } = call.request;
  const isWrite = method === 'PUT' || method === 'PATCH';
  if (isWrite && response.status === 204 && family.written === 'resource')
    return toFamilyResponse(translated, call, await getWritten(translated), family);
  const text = await response.text();
  if (text === '') return new Response(null, response);
  const written: unknown = JSON.parse(text);
  if (response.status >= 400) return toErrorResponse(written, response, family);
  const body = toShown(written, translated, family);
  if (method === 'GET' && Array.isArray(body)) {
    const isPaged = call.route.collection.declaration.options.paging !== undefined;
    return toListResponse(toRows(body, translated, family), response, call.url, family, isPaged);
  }
  const status = response.status === 201 ? family.created[0] : response.status;
  return toResourceResponse(body, response, status, family, method);
};

/**
 * Speaks the family of an API: the request is translated for the operations, which follow the conventions,
 * and the response back.
 */
export const withFamily =
  (next: Stage<Call>): Stage<Call> =>
  async (call) => {
    const family = call.route.collection.declaration.wire?.family;
    if (family === undefined) return next(call);
    const translated = toConventionsCall(call, family);
    try {
      return await toFamilyResponse(translated, call, await next(translated), family);
    } catch (error) {
      if (call.request.signal.aborted) throw error;
      return toFamilyResponse(translated, call, errorResponse(error), family);
    }
  };
