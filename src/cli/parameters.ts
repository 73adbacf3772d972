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

/** What is wrong with a value, as zod reports it. */
interface ValueIssue {
  readonly path?: readonly unknown[] | undefined;
  readonly message: string;
  readonly code?: string;
}

/** A value that a schema takes, or what is wrong with each candidate, in their order. */
type Reading = { readonly value: unknown } | { readonly issues: readonly ValueIssue[] };

/** Checks a candidate through Standard Schema, so that the version of zod does not matter. */
const validate = async (schema: $ZodType, candidate: unknown) => {
  try {
    return await schema['~standard'].validate(candidate);
  } catch (error) {
    // Of a function of a codec, as BigInt is.
    const name = error instanceof Error ? error.name : typeof error;
    return { issues: [{ message: `its codec threw ${name}` }] };
  }
};

/** The first candidate that a schema takes, as the client takes it: decoded, or else as it is on the wire. */
const readValue = async (schema: $ZodType, candidates: readonly unknown[]): Promise<Reading> => {
  const issues: ValueIssue[] = [];
  for (const candidate of candidates) {
    const result = await validate(schema, candidate);
    if (result.issues === undefined)
      return { value: isEncodable(schema, result.value) ? result.value : candidate };
    issues.push(...result.issues.slice(0, 1));
  }
  // A codec may decode to a string.
  const [asGiven] = candidates;
  return isEncodable(schema, asGiven) ? { value: asGiven } : { issues };
};

/** Says what is wrong with a string: of what it may stand for, the form whose type is right, or else JSON. */
const describeIssue = (name: string, issues: readonly ValueIssue[]): string => {
  const issue = issues.find(({ code }) => code !== 'invalid_type') ?? issues[forms.indexOf(parseJson)];
  const at = issue?.path?.length ? ` at \`${issue.path.join('.')}\`` : '';
  return `--param ${JSON.stringify(name)} does not match its declaration${at}: ${issue?.message}`;
};

/**
 * Reads an endpoint's own query parameters: each as the string that it is, as JSON, as a date, or as a list
 * of these, whichever its schema takes.
 *
 * @param given - `name=value`; a list may be given as `name=a,b`, or item by item
 * @throws {@link UsageError} for a value that does not match, and several of a parameter that is not a list
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
    // Without a schema it is a path parameter, or a name that the client reports.
    const unchecked: Reading = strings.length > 1 ? { issues: [] } : { value: strings[0] };
    const found = schema
      ? await readValue(schema, candidatesOf(strings, repeated.includes(name)))
      : unchecked;
    if ('value' in found) {
      read.set(name, found.value);
      continue;
    }
    const isList = found.issues.some(({ path = [] }) => path.length > 0);
    if (strings.length === 1 || isList) throw new UsageError(describeIssue(name, found.issues));
    throw new UsageError(`--param has ${JSON.stringify(name)} more than once, and it is not a list`);
  }
  return Object.fromEntries(read);
};
