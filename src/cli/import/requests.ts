import { methodRules } from '../../conventions.ts';
import type { Model } from './model.ts';
import { type Content, isJson, type Operation } from './operations.ts';
import { readParameters, wordsOf } from './query.ts';
import type { Schema } from './schema.ts';

/** A request through `client.request`, for an operation that belongs to no collection. */
export type FoundRequest = Exclude<ReturnType<typeof readRequest>, string>;

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

/**
 * The request of an operation, or why `client.request` cannot send it.
 *
 * @param path - below the base URL
 */
export const readRequest = (operation: Operation, path: string | undefined, model: Model) => {
  const { method, isOnOtherServer, bodies, responses } = operation;
  if (isOnOtherServer) return 'it is on another server';
  if (path === undefined) return 'it is outside the base URL of the collections';
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const { params: query, omitted } = readParameters(inQuery, model);
  const sent = methodRules[method].body ? (bodies.find(mayBeJson) ?? bodies[0]) : undefined;
  const isJsonBody = sent !== undefined && mayBeJson(sent);
  const unknown: Schema = {};
  const body = isJsonBody ? model.read(sent.schema, 'body') : sent && unknown;
  // A form knows its own type.
  const contentType = isJsonBody || sent?.type === 'multipart/form-data' ? undefined : sent?.type;
  const contents = responses.flatMap((response) => response.contents);
  const json = contents.find(mayBeJson);
  const response = json && model.read(json.schema, 'response');
  const accept = json === undefined ? contents[0]?.type : undefined;
  return {
    path,
    query,
    body,
    contentType,
    response,
    accept,
    notes: [...operation.notes, ...omitted.map(wordsOf)],
  };
};
