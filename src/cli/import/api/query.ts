import { placeParameterOf } from '../../../families/list-form.ts';
import { type Json, targetOf } from '../json.ts';
import type { Model } from '../model.ts';
import { isValue } from '../schemas/read-values.ts';
import { type Schema, withoutNull } from '../schemas/schema.ts';
import { Misfit, type Operation } from './operations.ts';
import { type Kind, readParts } from './query-parts.ts';

/** A name with the parameter in the document. */
type Parameter = readonly [name: string, value: Json];

/** What a report calls a parameter. */
const wordsOf = ([name]: Parameter): string => `the query parameter \`${name}\``;

const isPlainValue = (value: unknown): boolean => [value].flat().every(isValue);

/** What is reported of the default of a parameter that no declaration has. */
export const lostDefault = (name: string): string =>
  `the default of the query parameter \`${name}\`, which the server fills in`;

/**
 * What is reported of a parameter whose name stands for a part of a query, which its family names otherwise.
 */
const takenName = (one: Parameter): string =>
  `${wordsOf(one)}: \`list()\` has a part of that name, so that only \`client.request\` can send it`;

/** An endpoint's own query parameter; undefined for one that the client does not write. */
const readParameter = ([name, value]: Parameter, { document, read, structureOf }: Model) => {
  const { style = 'form', explode = true, content } = value;
  const schema = read(value.schema, 'body');
  const structure = withoutNull(structureOf(schema));
  const { type, anyOf = [], isOpen } = structure;
  // zod drops a field of this name.
  if (name === '__proto__') return undefined;
  if (style !== 'form' || content !== undefined || type === 'object') return undefined;
  const types = [type, ...anyOf.map((option) => structureOf(option).type)];
  const { default: usual } = targetOf(document, value.schema);
  // An `openEnum` cannot hold a default.
  const isKept = isPlainValue(usual) && isOpen !== true;
  return {
    name,
    schema: isKept ? { ...schema, default: usual } : schema,
    isRepeated: explode !== false && types.includes('array'),
    notes: [
      ...(usual === undefined || isKept ? [] : [lostDefault(name)]),
      ...(value.allowReserved === true
        ? [`\`allowReserved\` of ${wordsOf([name, value])}: the client percent-encodes what it holds`]
        : []),
    ],
  };
};

const isRequired = ([, { required }]: Parameter): boolean => required === true;

/** What is reported of a parameter that an endpoint does not declare. */
export const describeOmitted = (one: Parameter): string =>
  isRequired(one) ? `${wordsOf(one)}, which it needs: send it with \`client.request\`` : wordsOf(one);

/**
 * The object of an endpoint's own query parameters, undefined when there are none; the lists of them that are
 * sent as one parameter for each item; the parameters that are not in the object; and what is lost of others.
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
    notes: fields.flatMap(({ notes }) => notes),
  };
};

/** Whether a part of §4.4 has a default that is no part of its declaration, as those of pages are. */
const isLostDefault = (
  name: string,
  { queryParameters }: Operation,
  { document, family: { query, list, listParameters } }: Model,
): boolean => {
  const ofPages = [query.page, query.perPage, placeParameterOf(list)];
  if (ofPages.includes(name) || Object.hasOwn(listParameters, name)) return false;
  return targetOf(document, queryParameters.get(name)?.schema).default !== undefined;
};

/** Whether a collection has a part of a query, by the name that the part has in TypeScript (§4.4). */
const hasPart = (options: object, name: string): boolean => {
  const option = name === 'page' || name === 'perPage' ? 'paging' : name;
  return Object.entries(options).some(([one, value]) => one === option && value !== undefined);
};

/**
 * Reads what the query supports of an operation that returns one resource or a list (§4.4).
 *
 * @throws {@link Misfit} for a required parameter that the client cannot send
 */
export const readQuery = (operation: Operation, resource: Schema, kind: Kind, model: Model) => {
  const { options, written, notes } = readParts(operation, resource, kind, model);
  const defaults = written.filter((name) => isLostDefault(name, operation, model));
  const own = [...operation.queryParameters].filter(([name]) => !written.includes(name));
  // The client takes the size of a page for that, also where the list has no pages.
  const isSize = ([name]: Parameter): boolean => kind === 'list' && name === model.family.query.perPage;
  // A family may write `page` by another name.
  const isTaken = ([name]: Parameter): boolean => kind === 'list' && hasPart(options, name);
  const isUnwritten = (one: Parameter): boolean => isSize(one) || isTaken(one);
  const {
    params,
    repeated,
    omitted,
    notes: ofParameters,
  } = readParameters(kind === 'list' ? own.filter((one) => !isUnwritten(one)) : [], model);
  const unwritten = kind === 'list' ? [...omitted, ...own.filter(isUnwritten)] : own;
  const needed = unwritten.find(isRequired);
  if (needed !== undefined)
    throw new Misfit(`it needs ${wordsOf(needed)}, which a collection does not write`);
  return {
    options,
    params,
    repeated,
    notes: [
      ...unwritten.map((one) => (isTaken(one) ? takenName(one) : wordsOf(one))),
      ...ofParameters,
      ...defaults.map(lostDefault),
      ...notes,
    ],
  };
};
