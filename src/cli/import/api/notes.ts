// What of an operation neither a collection nor a function can express.
import { type Method, methodRules } from '../../../conventions.ts';
import { isObject } from '../../../options.ts';
import { follow, type Json, missingTarget } from '../json.ts';
import { type Content, hasBody, isJson, isLater, jsonOf, type OperationResponse } from './contents.ts';

/** Why callbacks and webhooks are not declared. */
export const toYou = 'requests of the server to you are no part of a client';

/** Reports the body of a 202 where no other response has one: a declaration does not read it (§7.1). */
export const notesOfLater = ({
  responses,
}: {
  readonly responses: readonly OperationResponse[];
}): readonly string[] => {
  const withBody = responses.filter(hasBody);
  return withBody.length > 0 && withBody.every(isLater)
    ? ['the body of its response 202: `client.request` returns it']
    : [];
};

/** What a report says of a reference without a target. */
export const missingIn = (document: Json, given: unknown): readonly string[] => {
  if (!isObject(given) || typeof given.$ref !== 'string') return [];
  const { pointer, isMissing } = follow(document, given);
  return isMissing ? [missingTarget(pointer)] : [];
};

/** What of the bodies is not declared: one form of each is. */
export const readOtherContents = (
  method: Method,
  { responses }: Json,
  bodies: readonly Content[],
  successful: readonly OperationResponse[],
): readonly string[] => {
  const isSame = ({ schema }: Content, json: Content | undefined): boolean =>
    schema !== undefined && JSON.stringify(schema) === JSON.stringify(json?.schema);
  const othersIn = (contents: readonly Content[]): readonly Content[] => {
    const json = jsonOf(contents);
    const declared = json ?? contents[0];
    return contents.filter((one) => one !== declared && !(isJson(one) && isSame(one, json)));
  };
  const types = successful.flatMap(({ contents }) =>
    // The same value in another form, as documents of Swagger have for all operations, is no loss.
    othersIn(contents).flatMap((one) => (isSame(one, jsonOf(contents)) ? [] : [one.type])),
  );
  const hasExampleAlone = (contents: readonly Content[]): boolean =>
    contents.some((one) => isJson(one) && one.isExampleAlone);
  const shown = [
    ...(hasExampleAlone(bodies) ? ['request body'] : []),
    ...(successful.some(({ contents }) => hasExampleAlone(contents)) ? ['response'] : []),
  ];
  const isDefault = successful.length === 0 && isObject(responses) && responses.default !== undefined;
  // A `fetch` refuses the body of a GET.
  const wayOfBody = method === 'DELETE' ? ': `client.fetch` sends one' : '';
  const isRefused = bodies.length > 0 && !methodRules[method].body;
  return [
    ...[...new Set(types)].map((type) => `its response as ${type}`),
    ...shown.map((what) => `the fields of its ${what}, of which the document has an example alone`),
    ...othersIn(bodies).map(({ type }) => `its request body as ${type}`),
    ...(isDefault ? ['its response `default`, because no status says that it is a success'] : []),
    ...(isRefused ? [`its request body, because ${method} has none (§4.2)${wayOfBody}`] : []),
  ];
};

/** Header fields that OpenAPI wants ignored among parameters, and one that the client has an option for. */
const ignoredHeaders = ['accept', 'authorization', 'content-type', 'if-none-match'];

/** What a request has beside its path, query and body. */
export const readHeaders = (
  headers: ReadonlyMap<string, Json>,
  cookies: ReadonlyMap<string, Json>,
): readonly string[] => {
  const noteOf = (what: string, [name, { required }]: readonly [string, Json]): string =>
    `${what} \`${name}\`${required === true ? ', which it needs' : ''}: pass it in \`headers\``;
  const own = [...headers].filter(([name]) => !ignoredHeaders.includes(name.toLowerCase()));
  return [
    ...own.map((one) => noteOf('the header field', one)),
    ...[...cookies].map((one) => noteOf('the cookie', one)),
  ];
};

/** Path parameters that are not sent as they are, such as `;id=7`. */
export const readPathStyles = (all: ReadonlyMap<string, Json>): readonly string[] =>
  [...all].flatMap(([name, { style = 'simple' }]) =>
    style === 'simple' ? [] : [`the style of the path parameter \`${name}\``],
  );
