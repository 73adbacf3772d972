// What is sent and returned by an operation that belongs to no collection.
import { jsonType, methodRules } from '../../../conventions.ts';
import { itemPathOf } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { schemaAt } from '../json.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schemas/schema.ts';
import { type Content, hasBody, isJson, isLater, isPlainJson, jsonOf } from './contents.ts';
import { withoutLimited } from './fitting.ts';
import { notesOfLater } from './notes.ts';
import type { Operation } from './operations.ts';
import { describeOmitted, readParameters } from './query.ts';
import { readSelection } from './query-parts.ts';

/** The request of an operation that belongs to no collection. */
export type ReadRequest = Exclude<ReturnType<typeof readRequest>, string>;

/**
 * Whether a body may be left out. Documents often do not say that it is required: one with a field that is
 * required is so, too.
 */
const canLeaveOut = ({ requestBody }: Operation, body: Schema, { structureOf }: Model): boolean => {
  if (typeof requestBody.required === 'boolean') return !requestBody.required;
  const { properties, required = [] } = structureOf(body);
  return properties !== undefined && required.length === 0;
};

/** Whether the schema of a body says that it is bytes. */
const isBinary = ({ schema }: Pick<Content, 'schema'>): boolean =>
  isObject(schema) && (schema.format === 'binary' || 'contentMediaType' in schema);

/** The class of a body that JSON Schema says nothing of. */
type Instance = 'FormData' | 'URLSearchParams' | 'Blob';

const formsOf: Readonly<Record<string, Instance>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

/** The class of a body; undefined for JSON. */
const classOf = (content: Content): Instance | undefined =>
  formsOf[content.type] ?? (isJson(content) && !isBinary(content) ? undefined : 'Blob');

const readBody = (operation: Operation, model: Model) => {
  const { method, bodies } = operation;
  const sent = methodRules[method].body ? (jsonOf(bodies) ?? bodies[0]) : undefined;
  const instance = sent && classOf(sent);
  const body = sent && model.read(instance === undefined ? sent.schema : undefined, 'body');
  const isForm = sent !== undefined && Object.hasOwn(formsOf, sent.type);
  const { properties = {} } = isForm ? model.structureOf(model.read(sent.schema, 'body')) : {};
  const hasFields = Object.keys(properties).length > 0;
  // A form has its own, and a type such as `image/*` is that of the Blob.
  const hasType = sent !== undefined && !isForm && sent.type !== jsonType && !sent.type.includes('*');
  const isJsonOfBytes = instance === 'Blob' && sent?.type === jsonType;
  return {
    body,
    isBodyOptional: body !== undefined && canLeaveOut(operation, body, model),
    instance,
    contentType: hasType || isJsonOfBytes ? sent?.type : undefined,
    bodyNotes: hasFields ? ['the fields of its form'] : [],
  };
};

/** The JSON of a response, or the type of another one; and what `fields` and `expand` name of a resource. */
const readResponse = (operation: Operation, model: Model) => {
  const contents = operation.responses.flatMap((response) => response.contents);
  const found = jsonOf(contents);
  const json = found !== undefined && isBinary(found) ? undefined : found;
  const other = found ?? contents[0];
  const accept = json !== undefined && isPlainJson(json) ? undefined : other?.type;
  if (json === undefined) {
    const as = other && (other.type.startsWith('text/') && !isBinary(other) ? 'text' : 'bytes');
    const own = accept === '*/*' ? undefined : accept;
    return { accept: own, as, response: undefined, fields: undefined, expand: undefined };
  }
  const response = model.read(json.schema, 'response');
  // The client takes a resource out of what its family has around it.
  const inside = schemaAt(model.document, json.schema, itemPathOf(model.family, operation.method));
  const resource = withoutLimited(model.read(inside, 'response'), model);
  if (!model.isResource(resource))
    return { accept, as: undefined, response, fields: undefined, expand: undefined };
  return { accept, as: undefined, response: resource, ...readSelection(operation, resource, model) };
};

/** Reports successful responses whose JSON differs from that of the first. A 202 is declared by `accepts`. */
const readOtherResponses = ({ responses }: Operation, model: Model): readonly string[] => {
  const all = responses.flatMap(({ status, contents }) => {
    const json = jsonOf(contents);
    return json === undefined || status === '202' || !status.startsWith('2')
      ? []
      : [{ status, json: model.read(json.schema, 'response') }];
  });
  const [first, ...others] = all;
  if (first === undefined) return [];
  return others
    .filter(({ json }) => !model.matches(first.json, json))
    .map(({ status }) => `the JSON of its response ${status}, which differs from that of ${first.status}`);
};

/** What an endpoint reads of its responses: `accepts` declares a 202, and leaves its body unread. */
const readEndpointResponse = (operation: Operation, model: Model) => {
  const responses = operation.responses.filter((one) => !isLater(one));
  const read = readResponse({ ...operation, responses }, model);
  if (responses.some(hasBody)) return read;
  const { accept } = readResponse(operation, model);
  return { ...read, accept };
};

/** Reports the body of a 202, and responses without the body that an endpoint expects. */
const describeBodies = (operation: Operation, hasResponse: boolean): readonly string[] => {
  const empty = operation.responses.filter((one) => hasResponse && !isLater(one) && !hasBody(one));
  return [
    ...notesOfLater(operation),
    ...empty.map(
      ({ status }) => `its response ${status} without a body, which is an UnexpectedResponseError`,
    ),
  ];
};

/** Paths that have more than segments, or segments that a URL does not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a URL drops them
const unsendable = /[?#\\\u0000-\u001f]|^$|^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/;

/**
 * The request of an operation that belongs to no collection, or why `client.request` cannot send it.
 *
 * @param isEndpoint - whether `endpoint` declares it, instead of a call of `client.request`
 */
export const readRequest = (operation: Operation, baseUrl: string, model: Model, isEndpoint = false) => {
  const { url, isSlashed, isOnOtherServer, queryParameters, responses, notes } = operation;
  if (isOnOtherServer) return 'it is on another server';
  if (!url.startsWith(`${baseUrl}/`)) return 'it is outside the base URL of the collections';
  const path = url.slice(baseUrl.length + 1);
  if (unsendable.test(path)) return '`client.request` takes no such path';
  const { bodyNotes, ...sent } = readBody(operation, model);
  const read = isEndpoint ? readEndpointResponse(operation, model) : readResponse(operation, model);
  const { fields: fieldsName, expand: expandName } = model.family.query;
  const selecting = [read.fields && fieldsName, read.expand && expandName];
  const own = [...queryParameters].filter(([name]) => !selecting.includes(name));
  const { params: query, repeated, omitted, notes: ofQuery } = readParameters(own, model);
  return {
    path,
    trailingSlash: isSlashed === model.family.trailingSlash ? undefined : isSlashed,
    isSlashed,
    query,
    repeated,
    ...sent,
    ...read,
    isAccepted: responses.some(isLater),
    notes: [
      ...notes,
      ...bodyNotes,
      ...omitted.map(describeOmitted),
      ...ofQuery,
      ...readOtherResponses(operation, model),
      ...(isEndpoint ? describeBodies(operation, read.response !== undefined) : []),
    ],
  };
};
