import { type $ZodType, encode } from 'zod/v4/core';
import type { Collection } from '../index.ts';
import { splitPair } from './arguments.ts';
import { UsageError } from './errors.ts';

const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** What a string of the command line may stand for. */
const forms: readonly ((value: string) => unknown)[] = [
  (value) => value,
  parseJson,
  (value) => new Date(value),
];

/** What the values of a parameter may stand for: one value, or the items of a list. */
const candidatesOf = (values: readonly string[], isRepeated: boolean): readonly unknown[] => {
  const [value = '', ...more] = values;
  const items = isRepeated || more.length > 0 ? values : value.split(',');
  const lists = forms.map((form) => items.map(form));
  return more.length > 0 ? lists : [...forms.map((form) => form(value)), ...lists];
};

/** True for a value that the client can encode; a transform works in one direction only. */
const isEncodable = (schema: $ZodType, value: unknown): boolean => {
  try {
    encode(schema, value);
    return true;
  } catch {
    return false;
  }
};

/** The first candidate that a schema takes, as the client takes it: decoded, or else as it is on the wire. */
const readValue = async (schema: $ZodType, candidates: readonly unknown[]): Promise<unknown> => {
  for (const candidate of candidates) {
    // Called through Standard Schema, so that the version of zod does not matter.
    const result = await schema['~standard'].validate(candidate);
    if (result.issues === undefined) return isEncodable(schema, result.value) ? result.value : candidate;
  }
  return undefined;
};

/**
 * Reads an endpoint's own query parameters: each as the string that it is, as JSON, as a date, or as a list
 * of these, whichever its schema takes.
 *
 * @param given - `name=value`; a list may be given as `name=a,b`, or item by item
 * @throws {@link UsageError} for several values of a parameter that is not a list
 */
export const readParameters = async (
  declaration: Pick<Collection, 'options'> | undefined,
  given: readonly string[] | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given === undefined) return undefined;
  const { params, repeated = [] } = declaration?.options ?? {};
  const declared = new Map(Object.entries((params?._zod.def.shape ?? {}) as Record<string, $ZodType>));
  const values = new Map<string, readonly string[]>();
  for (const pair of given) {
    const [name, value] = splitPair('--param', pair);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const read = new Map<string, unknown>();
  for (const [name, strings] of values) {
    const schema = declared.get(name);
    const value = schema && (await readValue(schema, candidatesOf(strings, repeated.includes(name))));
    if (value === undefined && strings.length > 1)
      throw new UsageError(`--param has ${JSON.stringify(name)} more than once, and it is not a list`);
    // The client reports values that do not fit, and names that are not declared.
    read.set(name, value ?? strings[0]);
  }
  return Object.fromEntries(read);
};
