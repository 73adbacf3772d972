import { type Method, methodRules, operationMethods, operations } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import { checkBoolean, checkFieldValue, checkOf, checkStrings, createReader } from '../options.ts';
import { type Collection, operationsOf, parameterNamesOf } from './collection.ts';
import { type ApiDeclaration, familyOf, isListSchema, segment } from './define-api.ts';
import type { DeclaredEndpoint, EndpointOptions } from './endpoint.ts';
import { endpointsOf, type NamedEndpoint } from './endpoints-of.ts';
import { checkNames } from './field-paths.ts';
import { isResource } from './resource.ts';
import { fieldOf, fieldsOf, isSchema } from './zod.ts';

/** What a collection of the client has besides its operations and its actions. */
const collectionNames: readonly string[] = [
  'find',
  'query',
  'createMany',
  'allowedMethods',
  '~declaration',
  'then',
  '__proto__',
];

/** The parts of a query that an endpoint may declare (§4.4). */
const selectingOptions = ['fields', 'expand'] as const;

/** A method and a path with one name for all parameters. */
const placeOf = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`;

/** Where the operations of a collection are, and where a client asks for its methods. */
const placesOf = ({ path, options, ...collection }: Collection): readonly string[] => {
  const asked = [placeOf('OPTIONS', path), placeOf('OPTIONS', `${path}/:`)];
  const bulkPatch = options.bulk === undefined ? [] : [placeOf('PATCH', path)];
  const declared = operationsOf({ path, options, ...collection }).map((operation) => {
    const isOfAll = operation === 'list' || operation === 'create';
    return placeOf(operationMethods[operation], isOfAll ? path : `${path}/:`);
  });
  return [...asked, ...bulkPatch, ...declared];
};

const problemOfPath = (
  { declared: { path }, collection }: NamedEndpoint,
  takenNames: readonly string[],
): string | undefined => {
  const names = parameterNamesOf(path);
  const isAction = collection !== undefined;
  const taken = names.find((name) => takenNames.includes(name) || (isAction && name === 'id'));
  if (taken !== undefined)
    return `its path cannot have a parameter ":${taken}", because a call has something else of this name; rename it`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice && `its path has the parameter ":${twice}" twice; give each its own name`;
};

const problemOfName = (
  { name, collection }: NamedEndpoint,
  { collections }: ApiDeclaration,
): string | undefined => {
  if (collection === undefined) {
    if (Object.hasOwn(collections, name)) return 'a collection has the same name; rename one of them';
    return name === 'then' || name === '__proto__' ? 'it cannot have this name; rename it' : undefined;
  }
  return [...operations, ...collectionNames].includes(name)
    ? 'a collection has something else of this name; rename it'
    : undefined;
};

/**
 * What an endpoint selects by, which its family must have a name for, and its own parameters must not have.
 */
const problemOfSelection = (
  { declared: { options } }: NamedEndpoint,
  api: ApiDeclaration,
): string | undefined => {
  const { name, query } = familyOf(api);
  const declared = selectingOptions.filter((option) => options[option] !== undefined);
  const unnamed = declared.find((option) => query[option] === undefined);
  if (unnamed !== undefined)
    return `the family "${name}" has no \`${unnamed}\`; leave it out, or name query.${unnamed} in family()`;
  const taken = declared.find((option) => options.query && fieldOf(options.query, query[option] ?? ''));
  return (
    taken &&
    `\`query\` cannot declare ${JSON.stringify(query[taken])}, which the client writes for \`${taken}\``
  );
};

/**
 * Checks the names and the paths of the endpoints of an API, and what they select by.
 *
 * @param takenNames - what a call takes in the same object as path parameters
 * @throws {@link InvalidRequestError} for a name or a path that a collection or another endpoint has
 */
export const checkEndpoints = (api: ApiDeclaration, takenNames: readonly string[]): void => {
  const places = new Map<string, string>();
  for (const [name, collection] of Object.entries(api.collections))
    for (const place of placesOf(collection)) places.set(place, `the collection ${JSON.stringify(name)}`);
  for (const endpoint of endpointsOf(api)) {
    const { key, path, declared, collection } = endpoint;
    const shown = `${collection === undefined ? 'endpoint' : 'action'} ${JSON.stringify(key)}`;
    const place = placeOf(declared.method, path);
    const other = places.get(place);
    const problem =
      problemOfName(endpoint, api) ??
      problemOfPath(endpoint, takenNames) ??
      problemOfSelection(endpoint, api) ??
      (other && `${declared.method} ${path} is what ${other} has; remove one of them`);
    if (problem !== undefined)
      throw new InvalidRequestError(`API ${JSON.stringify(api.name)}: ${shown}: ${problem}`);
    places.set(place, `the ${shown}`);
  }
};

const bodyForms: readonly unknown[] = ['text', 'bytes', 'response'];

/** Its reader is made here, so that a bundler can leave it out of a program without endpoints. */
const readOptions = (options: EndpointOptions, owner: string): EndpointOptions => {
  const checkSchema = checkOf(isSchema, 'a zod schema');
  const read = createReader<EndpointOptions>({
    query: checkOf(
      (query) => isSchema(query) && fieldsOf(query) !== undefined,
      'an object schema, such as z.object({ city: z.string() })',
    ),
    repeated: checkStrings,
    body: checkSchema,
    contentType: checkFieldValue,
    response: checkSchema,
    as: checkOf((as) => bodyForms.includes(as), `one of ${bodyForms.join(', ')}`),
    accept: checkFieldValue,
    accepts: checkOf((accepts) => accepts === true, 'true'),
    trailingSlash: checkBoolean,
    // Their names are those of the resource.
    fields: undefined,
    expand: undefined,
  });
  return read(options, owner);
};

const problemOfOptions = (method: Method, options: EndpointOptions): string | undefined => {
  const { query, repeated = [], body, response, as, fields = true, expand = [] } = options;
  if (body !== undefined && !methodRules[method].body)
    return `${method} has no request body (§4.2)${method === 'DELETE' ? '; client.fetch sends one' : ''}`;
  if (options.contentType !== undefined && body === undefined)
    return '`contentType` is that of a request body; declare `body`, or leave it out';
  if (response !== undefined && as !== undefined)
    return '`response` is the schema of JSON; leave out `as`, or `response`';
  if (query && Object.hasOwn(fieldsOf(query) ?? {}, '__proto__'))
    return '`query` cannot declare "__proto__": zod drops it';
  const single = repeated.find((name) => !isListSchema(query && fieldOf(query, name)));
  if (single !== undefined)
    return `\`repeated\` names ${JSON.stringify(single)}, which is not a list in \`query\``;
  if (options.fields === undefined && options.expand === undefined) return undefined;
  if (!isResource(response)) return '`fields` and `expand` need a `response` that is made by resource()';
  const taken = query && Object.keys(fieldsOf(query) ?? {}).find((name) => isSelecting(options, name));
  if (taken !== undefined)
    return `\`query\` cannot declare ${JSON.stringify(taken)}, which the endpoint supports by §4.4`;
  return (
    (fields === true ? undefined : checkNames(response, 'fields', fields)) ??
    checkNames(response, 'expand', expand)
  );
};

const isSelecting = (options: EndpointOptions, name: string): boolean =>
  selectingOptions.some((option) => option === name && options[option] !== undefined);

/** @throws {@link InvalidRequestError} for a method, a path or an option that an endpoint cannot have */
export const readEndpoint = ({ method, path, options }: Omit<DeclaredEndpoint, 'code'>): void => {
  const owner = `endpoint(${JSON.stringify(method)}, ${JSON.stringify(path)})`;
  const fail = (problem: string): never => {
    throw new InvalidRequestError(`${owner}: ${problem}`);
  };
  if (!Object.hasOwn(methodRules, String(method)))
    fail(`the method must be one of ${Object.keys(methodRules).join(', ')}`);
  if (typeof path !== 'string' || !path.split('/').every((part) => segment.test(part)))
    fail(
      'the path must be like settings or recordings/:id/audio, without a slash at either end; `trailingSlash: true` adds one',
    );
  const problem = problemOfOptions(method, readOptions(options, owner));
  if (problem !== undefined) fail(problem);
};
