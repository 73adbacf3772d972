import { methodRules } from '../../conventions.ts';
import type { Model } from './model.ts';
import { type Content, isJson, type Operation } from './operations.ts';
import { readParameters } from './query.ts';
import type { Schema } from './schema.ts';

/** A request through `client.request`, for an operation that belongs to no collection. */
export interface FoundRequest {
  /** Below the base URL. */
  readonly path: string;
  readonly query: Schema | undefined;
  /** Unknown for a body that is not JSON; undefined when there is none. */
  readonly body: Schema | undefined;
  /** The content type of a body that is not JSON, but for a form, which knows its own. */
  readonly contentType: string | undefined;
  readonly response: Schema | undefined;
  /** The content type of a response that is not JSON. */
  readonly accept: string | undefined;
  /** What it does not declare. */
  readonly notes: readonly string[];
}

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

/** The request of an operation at a path below the base URL, or why `client.request` cannot send it. */
export const readRequest = (
  operation: Operation,
  path: string | undefined,
  model: Model,
): FoundRequest | string => {
  const { method, isOnOtherServer, bodies, responses } = operation;
  if (isOnOtherServer) return 'it is on another server';
  if (path === undefined) return 'it is outside the base URL of the collections';
  const notes = [...operation.notes];
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const query = readParameters(inQuery, model, ({ name }) => notes.push(`the query parameter \`${name}\``));
  const body = methodRules[method].body ? (bodies.find(mayBeJson) ?? bodies[0]) : undefined;
  const isJsonBody = body !== undefined && mayBeJson(body);
  const contents = responses.flatMap((response) => response.contents);
  const json = contents.find(mayBeJson);
  return {
    path,
    query,
    body: isJsonBody ? model.read(body.schema, 'body') : body && {},
    contentType: isJsonBody || body?.type === 'multipart/form-data' ? undefined : body?.type,
    response: json && model.read(json.schema, 'response'),
    accept: json === undefined ? contents[0]?.type : undefined,
    notes,
  };
};
