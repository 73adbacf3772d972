import { methodRules } from '../../conventions.ts';
import type { Model } from './model.ts';
import { type Content, isJson, type Operation, type Parameter } from './operations.ts';
import { headersOf, readParameters } from './query.ts';
import type { Schema } from './schema.ts';

/** An argument of a function that sends a request. */
export interface Argument {
  readonly name: 'query' | 'body' | 'headers';
  /** The schema of what goes over the wire in JSON, or a type of TypeScript. */
  readonly of: Schema | string;
  readonly isOptional: boolean;
}

/** A request through `client.request`, for an operation that belongs to no collection. */
export interface FoundRequest {
  /** Below the base URL. */
  readonly path: string;
  readonly arguments: readonly Argument[];
  /** The content type of a body that is not JSON, but for a form, which knows its own. */
  readonly contentType: string | undefined;
  /** The schema of a response in JSON, or the content type to ask for. */
  readonly response: Schema | string | undefined;
  /** What it does not declare. */
  readonly notes: readonly string[];
}

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

const formType = 'multipart/form-data';

/** The request of an operation at a path below the base URL, or why `client.request` cannot send it. */
export const readRequest = (
  operation: Operation,
  path: string | undefined,
  model: Model,
): FoundRequest | string => {
  const { method, isOnOtherServer, parameters, bodies, requestBody, responses } = operation;
  if (isOnOtherServer) return 'it is on another server';
  if (path === undefined) return 'it is outside the base URL of the collections';
  if (responses.length > 0 && responses.every(({ status }) => status.startsWith('3')))
    return 'it redirects, and the client follows no redirect';
  const notes = [...operation.notes];
  const all: Argument[] = [];

  const unsent: Parameter[] = parameters.filter((one) => one.in === 'cookie');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const query = readParameters(inQuery, model, (one) => unsent.push(one));
  if (query !== undefined) all.push({ name: 'query', of: query, isOptional: query.required?.length === 0 });
  const needed = unsent.find((one) => one.isRequired);
  if (needed)
    return `it needs the ${needed.in} parameter \`${needed.name}\`, which the client does not write`;
  for (const one of unsent) notes.push(`the ${one.in} parameter \`${one.name}\``);

  const body = bodies.find(mayBeJson) ?? bodies[0];
  if (body !== undefined && methodRules[method].body) {
    const of = mayBeJson(body)
      ? model.read(body.schema, 'body')
      : 'FormData | URLSearchParams | Blob | string';
    all.push({ name: 'body', of, isOptional: requestBody.required !== true });
  } else if (body !== undefined) notes.push(`the request body: ${method} has none (§4.2)`);

  const headers = headersOf(operation);
  const isOptional = headers.every((one) => !one.isRequired);
  if (headers.length > 0) all.push({ name: 'headers', of: 'Readonly<Record<string, string>>', isOptional });

  const succeeded = responses.filter(({ status }) => status.startsWith('2'));
  const contents = succeeded.flatMap((response) => response.contents);
  const json = contents.find(mayBeJson);
  const isEmpty = succeeded.some((response) => response.contents.length === 0);
  if (json !== undefined && isEmpty) notes.push('the body, because one of its responses has none');
  const schema = json === undefined || isEmpty ? undefined : model.read(json.schema, 'response');
  return {
    path,
    arguments: all,
    contentType: body === undefined || mayBeJson(body) || body.type === formType ? undefined : body.type,
    response: json === undefined ? contents[0]?.type : schema,
    notes,
  };
};
