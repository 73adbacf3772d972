// What of a schema goes over the wire in one direction alone: `readOnly` and `writeOnly` fields.
import { isObject } from '../../../options.ts';
import { type Json, listAt, objectAt, targetOf } from '../json.ts';
import { isValue } from './read-values.ts';
import { type Direction, mayGrow, type Schema } from './schema.ts';

/** Whether a schema has several values, to which a release may add one: a response takes others (§9.2). */
const mayGrowIn = (schema: Json): boolean => {
  const values = listAt(schema, 'enum').filter((value) => value !== null);
  return values.every(isValue) && mayGrow({ enum: values });
};

/** Whether what a reference leads to differs between bodies and responses, at any depth. */
export const differs = (document: Json, pointer: string, areEnumsClosed: boolean): boolean => {
  const reached = new Set([pointer]);
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { readOnly, writeOnly, self, $ref } = value as Json;
    if (typeof $ref === 'string') reached.add($ref);
    const isOpened = !areEnumsClosed && mayGrowIn(value as Json);
    const isDifferent = readOnly === true || writeOnly === true || isObject(self) || isOpened;
    return isDifferent || Object.values(value).some(visit);
  };
  // The set grows while it is read.
  for (const one of reached) if (visit(targetOf(document, { $ref: one }))) return true;
  return false;
};

/** Whether a field is not there in one direction. */
export const isHidden = (document: Json, field: unknown, direction: Direction): boolean => {
  const hidden = direction === 'body' ? 'readOnly' : 'writeOnly';
  return (isObject(field) && field[hidden] === true) || targetOf(document, field)[hidden] === true;
};

/** The fields that are hidden by a schema or by a part of its `allOf`. A part may contain itself. */
export const hiddenIn = (
  document: Json,
  schema: unknown,
  direction: Direction,
  maxDepth = 5,
): readonly string[] => {
  const target = targetOf(document, schema);
  const fields = Object.entries(objectAt(target, 'properties'));
  const own = fields.filter(([, field]) => isHidden(document, field, direction)).map(([name]) => name);
  const parts = maxDepth === 0 ? [] : listAt(target, 'allOf');
  return [...own, ...parts.flatMap((part) => hiddenIn(document, part, direction, maxDepth - 1))];
};

/** Keeps `readOnly` of what may hold a resource: one that is left out until it is expanded is in no body. */
export const markReadOnly = (schema: Schema, field: unknown): Schema => {
  const mayHold = [schema.$ref, schema.items, schema.anyOf].some((part) => part !== undefined);
  return mayHold && isObject(field) && field.readOnly === true ? { ...schema, readOnly: true } : schema;
};
