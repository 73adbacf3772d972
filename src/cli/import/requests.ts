import { header, type Method, methodRules } from '../../conventions.ts';
import type { Model } from './model.ts';
import { type Content, isJson, type Operation } from './operations.ts';
import { parametersSchema, readParameter } from './query.ts';
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
  readonly arguments: readonly Argument[];
  /** The schema of a response in JSON, or the content type to ask for. */
  readonly response: Schema | string | undefined;
  /** What it does not declare. */
  readonly notes: readonly string[];
}

/** True for a path that a URL would change, or that the client refuses. */
const isOddPath = (path: string): boolean =>
  !/^(?:(?:[\w~!$&'()*+,;=:@.-]|%[0-9A-F]{2}|\{[^{}]+\})+(?:\/|$))+$/i.test(path) ||
  path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));

/** Why `client.request` cannot send a request; undefined when it can. */
const refuseRequest = (
  { method, server, responses, parameters }: Operation,
  path: string | undefined,
  model: Model,
): string | undefined => {
  if (!Object.hasOwn(methodRules, method)) return `every resource refuses ${method} with 405 (§4.2)`;
  if (server !== undefined) return `it is on another server, ${server}`;
  if (path === undefined) return 'it is outside the base URL of the collections';
  if (isOddPath(path)) return 'its path is none that a URL can have';
  if (responses.length > 0 && responses.every(({ status }) => status.startsWith('3')))
    return 'it redirects, and the client follows no redirect';
  const isUnsent = (one: Operation['parameters'][number]): boolean =>
    one.in === 'cookie' || (one.in === 'query' && readParameter(one, model) === undefined);
  const unsent = parameters.find((one) => one.isRequired && isUnsent(one));
  return unsent && `it needs the ${unsent.in} parameter \`${unsent.name}\`, which the client does not write`;
};

const mayBeJson = (content: Content): boolean => isJson(content) || content.type === '*/*';

/** Header fields that the client writes by itself, so that OpenAPI ignores them as parameters. */
const ignoredHeaders: readonly string[] = [header.accept, header.authorization, header.contentType];

type Note = (reason: string) => void;

const readQuery = ({ parameters }: Operation, model: Model, note: Note): readonly Argument[] => {
  const fields = new Map<string, Schema>();
  for (const parameter of parameters.filter((one) => one.in === 'query' || one.in === 'cookie')) {
    const field = parameter.in === 'query' ? readParameter(parameter, model) : undefined;
    if (field === undefined) note(`the ${parameter.in} parameter \`${parameter.name}\``);
    else fields.set(parameter.name, field);
  }
  const of = parametersSchema(fields, parameters);
  return of ? [{ name: 'query', of, isOptional: of.required?.length === 0 }] : [];
};

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'FormData',
  'application/x-www-form-urlencoded': 'URLSearchParams',
};

const readBody = (operation: Operation, model: Model, note: Note): readonly Argument[] => {
  const { method, bodies, requestBody } = operation;
  const content = bodies.find(mayBeJson) ?? bodies[0];
  if (content === undefined) return [];
  if (!methodRules[method as Method].body) {
    note(`the request body: ${method} has none (§4.2)`);
    return [];
  }
  const start = { name: 'body', isOptional: requestBody.required !== true } as const;
  if (mayBeJson(content)) return [{ ...start, of: model.read(content.schema, 'body') }];
  const contentType = content.type.includes('*') ? 'application/octet-stream' : content.type;
  const bytes = contentType.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>';
  const of = bodyTypes[contentType] ?? bytes;
  return [{ ...start, of, ...(of !== 'FormData' && { contentType }) }];
};

const readHeaders = ({ parameters }: Operation, note: Note): readonly Argument[] => {
  const all = parameters.filter(
    (one) => one.in === 'header' && !ignoredHeaders.includes(one.name.toLowerCase()),
  );
  if (all.length === 0) return [];
  note(`the types of the header fields ${all.map(({ name }) => name).join(', ')}`);
  const isOptional = all.every(({ isRequired }) => !isRequired);
  return [{ name: 'headers', of: 'Readonly<Record<string, string>>', isOptional }];
};

const readResponse = ({ responses }: Operation, model: Model, note: Note): FoundRequest['response'] => {
  const succeeded = responses.filter(({ status }) => status.startsWith('2'));
  const contents = succeeded.flatMap((response) => response.contents);
  const json = contents.find(mayBeJson);
  if (json === undefined) return contents[0]?.type;
  if (succeeded.every((response) => response.contents.length > 0))
    return json.schema === undefined ? undefined : model.read(json.schema, 'response');
  note('the body, because one of its responses has none');
  return undefined;
};

/** The request of an operation at a path below the base URL, or why `client.request` cannot send it. */
export const readRequest = (
  operation: Operation,
  path: string | undefined,
  model: Model,
): FoundRequest | string => {
  const refusal = refuseRequest(operation, path, model);
  if (refusal !== undefined) return refusal;
  const notes = [...operation.notes];
  const note: Note = (reason) => void notes.push(reason);
  const all = [
    ...readQuery(operation, model, note),
    ...readBody(operation, model, note),
    ...readHeaders(operation, note),
  ];
  return { arguments: all, response: readResponse(operation, model, note), notes };
};
