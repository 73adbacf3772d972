import { isObject } from '../options.ts';
import { isIdentified, isIdentityField } from '../schema/resource.ts';
import type { Schema } from '../schema/types/shape.ts';
import { checksOf, coreOf, definitionOf, fieldsOf, kindOf, targetOf } from '../schema/zod.ts';
import { fits } from './data.ts';
import type { Json } from './exchange.ts';
import { cannotTell } from './judgement.ts';

/**
 * The start of a string in every body that the doctor sends. It recognises its own resources by that string.
 */
export const markerStart = 'restkin-doctor-';

const takesAnyString = (schema: Schema): boolean =>
  kindOf(coreOf(schema)) === 'string' && checksOf(coreOf(schema)).every(({ check }) => check === undefined);

/** A value as it is sent: a reference as its id, and without what the server assigns (§2.1). */
export const toBody = (schema: Schema, value: unknown): unknown => {
  const core = coreOf(schema);
  if (Array.isArray(value)) return value.map((item) => toBody(core, item));
  const { shape } = definitionOf(core);
  if (!isObject(value) || shape === undefined) return value;
  if (targetOf(core) !== undefined) return { id: value.id };
  const fields = Object.entries(shape).filter(
    ([name]) => Object.hasOwn(value, name) && !(isIdentified(core) && isIdentityField(name)),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, toBody(field, value[name])]));
};

/**
 * Puts a marker into the first field that takes any string. The field in the path of a resource, which must be
 * new and does not change, gets a string that begins otherwise.
 */
export const mark = (schema: Schema, body: Json, marker: string, keyField: string): Json => {
  const takers = Object.entries(fieldsOf(schema) ?? {}).flatMap(([name, field]) =>
    !isIdentityField(name) && takesAnyString(field) && fits(field, marker) ? [name] : [],
  );
  const found = takers.find((name) => name !== keyField);
  const ofPath = takers.includes(keyField) && { [keyField]: `a-${marker}` };
  if (found !== undefined) return { ...body, ...ofPath, [found]: marker };
  return cannotTell('no field of a body takes any string, so a created resource could not be recognised');
};

/** The marker in a body, with what a change has added to it. */
export const markerIn = (json: string): string | undefined =>
  new RegExp(`${markerStart}[\\w-]+`).exec(json)?.[0];

/** The field that has the marker, with another value in which the marker is still recognised. */
export const changeOf = (resource: Json, suffix: string): Json =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) =>
      typeof value === 'string' && markerIn(value) === value ? [[name, `${value}-${suffix}`]] : [],
    ),
  );
