// What a relation or a resource needs besides its generated fields.
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, definitionOf, kindOf, targetOf } from '../../src/schema/zod.ts';
import { fits } from '../rows/parse.ts';
import type { Json } from '../rows/schema.ts';
import { urnOf } from '../rows/self.ts';
import type { ValueContext } from './value-context.ts';

/** The context inside a value that is stored and sent as it is: neither `id` nor `self` is added later. */
export const contextOfFinalValue = (context: ValueContext): ValueContext => ({ ...context, addedLater: [] });

/** A resource or a reference with a URN as its `self`, if its schema requires one that nothing adds later. */
export const withSelf = (value: Json, schema: Schema, { addedLater, key, name }: ValueContext): Json => {
  const { self } = definitionOf(schema).shape ?? {};
  const isComplete = self === undefined || value.self !== undefined || fits(self, undefined);
  if (isComplete || addedLater.includes('self')) return value;
  return { ...value, self: urnOf(name || key, value.id) };
};

/** True where a relation is always left out: no row exists that it could lead to, or the family omits it. */
export const isAlwaysMissing = (schema: Schema, context: ValueContext): boolean => {
  const core = coreOf(schema);
  const { options } = definitionOf(core);
  if (options !== undefined) return options.every((option) => isAlwaysMissing(option, context));
  if (kindOf(core) === 'undefined') return true;
  const target = targetOf(core);
  return target !== undefined && context.relate(target, context.random).kind === 'noRows';
};
