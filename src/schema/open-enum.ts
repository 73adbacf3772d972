import { $ZodString, type $ZodType } from 'zod/v4/core';
import { InvalidRequestError } from '../errors/restkin-error.ts';

/** A string of which some values are known, made by {@link openEnum}. */
export interface OpenEnum<Known extends string = string>
  extends $ZodType<Known | (string & {}), Known | (string & {})> {
  /** The values that the declaration knows. */
  readonly known: readonly Known[];
}

const isKnown = (known: unknown): boolean =>
  Array.isArray(known) && known.length > 0 && known.every((value) => typeof value === 'string');

/**
 * Declares a string whose values may grow: a minor release may add one (§9.2), which `z.enum` would refuse.
 * Any string is valid; an editor suggests the known ones, and a mock generates no others.
 *
 * @param known - at least one value
 * @throws {@link InvalidRequestError} for anything but an array of strings
 * @example
 * ```ts
 * const Order = resource({ status: openEnum(['open', 'shipped']) });
 * ```
 */
export const openEnum = <const Known extends string>(
  known: readonly [Known, ...Known[]],
): OpenEnum<Known> => {
  if (!isKnown(known))
    throw new InvalidRequestError("openEnum() takes an array of strings, such as ['open', 'shipped']");
  const schema = new $ZodString({ type: 'string' });
  return Object.assign(schema, { known: Object.freeze([...known]) }) as unknown as OpenEnum<Known>;
};
