import { type Method, methodRules } from '../../conventions.ts';
import type { Model } from './model.ts';
import { type Content, isJson, type Operation, type Parameter } from './operations.ts';
import { readParameters, writtenFields } from './query.ts';
import type { Schema } from './schema.ts';

/** An argument of a function that sends a request. */
export interface Argument {
  readonly name: 'query' | 'body' | 'headers';
  /** The schema of what goes over the wire in JSON, or a type of TypeScript. */
  readonly of: Schema | string;
  readonly isOptional: boolean;
  /** The content type of a body, where `client.request` cannot know it. */
  readonly contentType?: string;
}

/** A request through `client.request`, for an operation that belongs to no collection. */
export interface FoundRequest {
  /** Below the base URL. */
  readonly path: string;
  readonly arguments: readonly Argument[];
  /** The schema of a response in JSON, or the content type to ask for. */
  readonly response: Schema | string | undefined;
  /** What it does not declare. */
  readonly notes: readonly string[];
}

/** Why `client.request` cannot send a request; undefined when it can. */
const refusalOf = ({ method, isOnOtherServer, responses }: Operation): string | undefined => {
  if (!Object.hasOwn(methodRules, method)) return `every resource refuses ${method} with 405 (§4.2)`;
  if (isOnOtherServer) return 'it is on another server';
  const redirects = responses.length > 0 && responses.every(({ status }) => status.startsWith('3'));
  return redirects ? 'it redirects, and the client follows no redirect' : undefined;
};

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const readBody = ({ bodies, requestBody }: Operation, model: Model): Argument | undefined => {
  const content = bodies.find(mayBeJson) ?? bodies[0];
  if (content === undefined) return undefined;
  const start = { name: 'body', isOptional: requestBody.required !== true } as const;
  if (mayBeJson(content)) return { ...start, of: model.read(content.schema, 'body') };
  const contentType = content.type.includes('*') ? 'application/octet-stream' : content.type;
  const bytes = contentType.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>';
  const of = bodyTypes[contentType] ?? bytes;
  return { ...start, of, ...(of !== 'FormData' && { contentType }) };
};

const readResponse = ({ responses }: Operation, model: Model, note: (reason: string) => void) => {
  const succeeded = responses.filter(({ status }) => status.startsWith('2'));
  const contents = succeeded.flatMap((response) => response.contents);
  const json = contents.find(mayBeJson);
  if (json === undefined) return contents[0]?.type;
  if (succeeded.some((response) => response.contents.length === 0)) {
    note('the body, because one of its responses has none');
    return undefined;
  }
  return json.schema === undefined ? undefined : model.read(json.schema, 'response');
};

/** The request of an operation at a path below the base URL, or why `client.request` cannot send it. */
export const readRequest = (
  operation: Operation,
  path: string | undefined,
  model: Model,
): FoundRequest | string => {
  const refusal = refusalOf(operation);
  if (refusal !== undefined) return refusal;
  if (path === undefined) return 'it is outside the base URL of the collections';
  const { method, parameters } = operation;
  const notes = operation.isDeprecated
    ? ['the document calls it deprecated', ...operation.notes]
    : [...operation.notes];
  const unsent: Parameter[] = parameters.filter((one) => one.in === 'cookie');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const query = readParameters(inQuery, model, (one) => unsent.push(one));
  const needed = unsent.find((one) => one.isRequired);
  if (needed)
    return `it needs the ${needed.in} parameter \`${needed.name}\`, which the client does not write`;
  for (const one of unsent) notes.push(`the ${one.in} parameter \`${one.name}\``);
  const headers = parameters.filter(
    (one) => one.in === 'header' && !writtenFields.includes(one.name.toLowerCase()),
  );
  const body = readBody(operation, model);
  const takesBody = methodRules[method as Method].body;
  if (body !== undefined && !takesBody) notes.push(`the request body: ${method} has none (§4.2)`);
  const all: readonly Argument[] = [
    ...(query ? [{ name: 'query', of: query, isOptional: query.required?.length === 0 } as const] : []),
    ...(body && takesBody ? [body] : []),
    ...(headers.length > 0
      ? [
          {
            name: 'headers',
            of: 'Readonly<Record<string, string>>',
            isOptional: headers.every((one) => !one.isRequired),
          } as const,
        ]
      : []),
  ];
  return {
    path,
    arguments: all,
    response: readResponse(operation, model, (reason) => notes.push(reason)),
    notes,
  };
};
