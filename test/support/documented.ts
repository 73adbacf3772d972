import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import type { OpenApiDocument, OperationObject, ResponseObject } from 'restkin/openapi';

/** What the document lacks of a response, or of a request that the server accepts; empty if nothing. */
export type Inspect = (
  request: Pick<Request, 'method' | 'url' | 'headers' | 'text'>,
  response: Response,
) => Promise<readonly string[]>;

const toPointer = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

type Sent = Parameters<Inspect>[0];

/**
 * Reads a document with a validator that shares nothing with the library. The result is undefined for a path
 * that it does not have.
 */
const inspectorOf = (document: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const check = (pointer: string, value: unknown): readonly string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    compiled.set(pointer, validate);
    return validate(value) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`];
  };
  const templates = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);

  /** Follows the reference to a component. */
  const resolve = (pointer: string, value: object): readonly [string, object] => {
    if (!('$ref' in value)) return [pointer, value];
    const [, , kind = '', name = ''] = String(value.$ref).split('/');
    const components: Readonly<Record<string, Readonly<Record<string, object>>>> = document.components;
    return [`/components/${kind}/${name}`, components[kind]?.[name] ?? {}];
  };

  const inspectHeaders = (at: string, { headers = {} }: ResponseObject, response: Response) =>
    Object.entries(headers).flatMap(([name, given]) => {
      const [pointer, header] = resolve(`${at}/headers/${toPointer(name)}`, given);
      const value = response.headers.get(name);
      if (value === null) return 'required' in header ? [`${at}: ${name} is missing`] : [];
      const { schema } = header as { readonly schema?: { readonly type?: unknown } };
      const isCount = schema?.type === 'integer' && /^\d+$/.test(value);
      return check(`${pointer}/schema`, isCount ? Number(value) : value);
    });

  return async (request: Sent, response: Response): Promise<readonly string[] | undefined> => {
    const { pathname } = new URL(request.url);
    const path = templates.find((template) => patternOf(template).test(pathname));
    if (path === undefined) return undefined;
    // The methods of a URI are those that the document has.
    if (request.method === 'OPTIONS') return [];
    const method = request.method.toLowerCase();
    const operations: Readonly<Record<string, unknown>> = { ...document.paths[path] };
    const operation = operations[method] as OperationObject | undefined;
    if (operation === undefined)
      return response.status === 405 ? [] : [`${request.method} ${path} is not documented`];
    const start = `/paths/${toPointer(path)}/${method}`;
    const body = await response.text();
    const problems: string[] = [];
    if (response.ok && operation.requestBody?.content['application/json'] !== undefined) {
      const sent: unknown = JSON.parse(await request.text());
      problems.push(...check(`${start}/requestBody/content/application~1json/schema`, sent));
    }
    const given = operation.responses[response.status];
    if (given === undefined) return [...problems, `${start}: ${response.status} is not documented`];
    const [at, documented] = resolve(`${start}/responses/${response.status}`, given);
    problems.push(...inspectHeaders(at, documented as ResponseObject, response));
    if (!('content' in documented)) return body === '' ? problems : [...problems, `${at}: there is a body`];
    return [...problems, ...check(`${at}/content/application~1json/schema`, JSON.parse(body))];
  };
};

/** Compares an exchange with the document, of several, that has its path. */
export const documentInspector = (...documents: readonly OpenApiDocument[]): Inspect => {
  const inspectors = documents.map(inspectorOf);
  return async (request, response) => {
    for (const inspect of inspectors) {
      const problems = await inspect(request, response);
      if (problems !== undefined) return problems;
    }
    return response.status < 400 ? [`${request.url} is not documented`] : [];
  };
};
