// What an operation sends and returns, in each content type.
import { jsonType, type Method, methodRules } from '../../../conventions.ts';
import { isJson as isJsonType, parseMediaType } from '../../../headers/media-type.ts';
import { isObject } from '../../../options.ts';
import { type Json, objectAt, targetOf } from '../json.ts';

/** A body in one content type. */
export type Content = ReturnType<typeof contentsOf>[number];

/** True for what the client sends as JSON. */
export const isPlainJson = ({ type }: Content): boolean => [jsonType, '*/*'].includes(type);

export const isJson = (content: Content): boolean => isPlainJson(content) || isJsonType(content.type);

/** The JSON among contents: that which the client asks for, or else the first. */
export const jsonOf = (contents: readonly Content[]): Content | undefined =>
  contents.find(isPlainJson) ?? contents.find(isJson);

/** What a request body or a response has, in each content type. */
export const contentsOf = (of: Json) =>
  Object.entries(objectAt(of, 'content')).map(([type, content]) => ({
    type: parseMediaType(type),
    schema: isObject(content) ? content.schema : undefined,
    isExampleAlone:
      isObject(content) &&
      content.schema === undefined &&
      (content.example !== undefined || content.examples !== undefined),
  }));

/** The statuses that `2XX` stands for. */
const statusesOfSuccess = (method: Method, contents: readonly Content[]): readonly string[] => {
  if (contents.length === 0) return ['204'];
  return method === 'POST' ? ['200', '201'] : ['200'];
};

/** A response with one status. */
export type OperationResponse = ReturnType<typeof readResponses>[number];

/** The responses of an operation, of successes and others. */
export const readResponses = (document: Json, method: Method, value: Json) =>
  Object.entries(objectAt(value, 'responses')).flatMap(([status, given]) => {
    const response = targetOf(document, given);
    const headers = Object.keys(objectAt(response, 'headers')).map((name) => name.toLowerCase());
    const contents = contentsOf(response);
    const statuses = /^2xx$/i.test(status) ? statusesOfSuccess(method, contents) : [status];
    return statuses.map((one) => ({ status: one, headers, contents }));
  });

/** The JSON in which an operation responds. */
export const jsonResponsesOf = ({
  responses,
}: {
  readonly responses: readonly OperationResponse[];
}): readonly Content[] => responses.flatMap(({ contents }) => jsonOf(contents) ?? []);

/** True for a response that promises the result for later (§7.1). */
export const isLater = ({ status }: OperationResponse): boolean => status === '202';

export const hasBody = ({ contents }: OperationResponse): boolean => contents.length > 0;

/** Whether a body may be left out and has no fields, as that of each GET of Stripe. */
const isEmptyBody = (document: Json, body: Json): boolean =>
  body.required !== true &&
  contentsOf(body).every(({ schema }) => {
    const {
      type: _type,
      properties,
      additionalProperties: rest = false,
      ...others
    } = targetOf(document, schema);
    return isObject(properties) && rest === false && Object.keys({ ...properties, ...others }).length === 0;
  });

/** The bodies that a request may have. */
export const readBodies = (document: Json, method: Method, body: Json): readonly Content[] => {
  const isWithoutBody = !methodRules[method].body && isEmptyBody(document, body);
  return isWithoutBody ? [] : contentsOf(body);
};
