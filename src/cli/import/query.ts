import type { Json } from './json.ts';
import type { Model } from './model.ts';
import { Misfit, type Operation } from './operations.ts';
import { type Kind, readParts } from './query-parts.ts';
import { type Schema, withoutNull } from './schema.ts';

/** A name with the parameter in the document. */
type Parameter = readonly [name: string, value: Json];

/** What a report calls a parameter. */
export const wordsOf = ([name]: Parameter): string => `the query parameter \`${name}\``;

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ([name, value]: Parameter, { read, structureOf }: Model) => {
  const { style = 'form', explode = true, content } = value;
  const schema = read(value.schema, 'body');
  const { type, anyOf = [] } = withoutNull(structureOf(schema));
  // zod drops a field of this name.
  if (name === '__proto__') return undefined;
  if (style !== 'form' || content !== undefined || type === 'object') return undefined;
  const types = [type, ...anyOf.map((option) => structureOf(option).type)];
  return { name, schema, isRepeated: explode !== false && types.includes('array') };
};

const isRequired = ([, { required }]: Parameter): boolean => required === true;

/**
 * The object of an endpoint's own query parameters, undefined when there are none; the lists of them that are
 * sent as one parameter for each item; and the parameters that are not in the object.
 */
export const readParameters = (parameters: readonly Parameter[], model: Model) => {
  const fields = parameters.flatMap((one) => readParameter(one, model) ?? []);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const repeated = fields.filter(({ isRepeated }) => isRepeated).map(({ name }) => name);
  const required = parameters.filter(isRequired).map(([name]) => name);
  const params: Schema = { type: 'object', properties, required };
  const omitted = parameters.filter(([name]) => !Object.hasOwn(properties, name));
  return {
    params: fields.length > 0 ? params : undefined,
    repeated: repeated.length > 0 ? repeated : undefined,
    omitted,
  };
};

/**
 * Reads what the query supports of an operation that returns one resource or a list (§4.4).
 *
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (operation: Operation, resource: Schema, kind: Kind, model: Model) => {
  const { options, written, notes } = readParts(operation, resource, kind, model);
  const own = [...operation.queryParameters].filter(([name]) => !written.includes(name));
  // The client takes the size of a page for that, also where the list has no pages.
  const isSize = ([name]: Parameter): boolean => kind === 'list' && name === model.family.query.perPage;
  const { params, repeated, omitted } = readParameters(
    kind === 'list' ? own.filter((one) => !isSize(one)) : [],
    model,
  );
  const unwritten = kind === 'list' ? [...omitted, ...own.filter(isSize)] : own;
  const needed = unwritten.find(isRequired);
  if (needed !== undefined)
    throw new Misfit(`it needs ${wordsOf(needed)}, which a collection does not write`);
  return { options, params, repeated, notes: [...unwritten.map(wordsOf), ...notes] };
};
