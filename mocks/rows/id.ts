import type { Schema } from '../../src/schema/types/shape.ts';
import { checksOf, coreOf, fieldOf } from '../../src/schema/zod.ts';
import { fits } from './parse.ts';

/** An id in a representation (§2.1). */
export type Id = string | number;

/**
 * A number as an id of a resource, in the first form that fits: 7, "7" or, after `startsWith('ord_')`,
 * "ord_7", or -7. Undefined if none does.
 */
export const toId = (number: number, resource: Schema): Id | undefined => {
  const field = fieldOf(resource, 'id') ?? resource;
  const { prefix = '' } = checksOf(coreOf(field)).find((check) => check.prefix) ?? {};
  return [number, String(number), `${prefix}${number}`, -number].find((id) => fits(field, id));
};

/** The number at the end of an id: 7 of 7, "7" and "ord_7"; 0 where there is none, or not an exact one. */
export const numberOf = (id: unknown): number => {
  const number = typeof id === 'number' ? Math.abs(id) : Number(/\d*$/.exec(String(id))?.[0]);
  return Number.isSafeInteger(number) ? number : 0;
};
