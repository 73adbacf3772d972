// Objects and lists, whose parts are schemas.
import { isObject } from '../../../options.ts';
import { type Json, listAt, objectAt, stringsAt } from '../json.ts';
import { withRequired } from './combine.ts';
import { isHidden, markReadOnly } from './directions.ts';
import { readKeywords, toRegExp } from './read-values.ts';
import type { Reader } from './reader.ts';
import { type Direction, isUnknown, type Schema } from './schema.ts';
import { union } from './union.ts';

const lostPatterns = '`patternProperties`: each field takes what fits one of the patterns, or the rest';

/** The fields that an object does not name. */
const readRest = (reader: Reader, schema: Json, direction: Direction): Schema => {
  const { additionalProperties } = schema;
  const rest = reader.read(additionalProperties, direction);
  const patterns = Object.entries(objectAt(schema, 'patternProperties'));
  const [[pattern] = [], ...others] = patterns;
  if (pattern === undefined) return isUnknown(rest) ? {} : { additionalProperties: rest };
  const ofPatterns = patterns.map(([, field]) => reader.read(field, direction));
  const isClosed = additionalProperties === false;
  const fields = isClosed ? union(ofPatterns) : union([...ofPatterns, rest]);
  const isRecord = isClosed && others.length === 0 && schema.properties === undefined;
  if (isRecord && toRegExp(pattern) !== undefined)
    return { additionalProperties: fields, propertyNames: { type: 'string', pattern } };
  return { additionalProperties: fields, lost: lostPatterns };
};

export const readObject = (reader: Reader, schema: Json, direction: Direction): Schema => {
  const all = Object.entries(objectAt(schema, 'properties'));
  const shown = all.filter(([, field]) => !isHidden(reader.document, field, direction));
  const object: Schema = { type: 'object', ...readRest(reader, schema, direction) };
  const required = stringsAt(schema, 'required');
  // An empty list of fields names none, and takes any.
  const isEmpty = isObject(schema.properties) && object.additionalProperties === undefined;
  if (all.length > 0 || isEmpty) {
    const properties = Object.fromEntries(
      shown.map(([name, field]) => [name, markReadOnly(reader.read(field, direction), field)]),
    );
    return { ...object, ...withRequired(properties, required) };
  }
  const { propertyNames: names } = schema;
  if (names === undefined) return object;
  return { ...object, propertyNames: reader.read(names, direction), required };
};

export const readArray = (reader: Reader, schema: Json, direction: Direction): Schema => {
  const first = listAt(schema, 'prefixItems').map((item) => reader.read(item, direction));
  const items = reader.read(schema.items, direction);
  if (first.length === 0) return { ...readKeywords('array', schema), items };
  return { type: 'array', prefixItems: first, ...(isObject(schema.items) && { items }) };
};
