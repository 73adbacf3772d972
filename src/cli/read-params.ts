import type { Collection } from '../index.ts';
import { UsageError } from './errors.ts';

// The part of Standard Schema (standardschema.dev) that is read here; every schema of zod has it.
interface StandardSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}
interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly path?: readonly unknown[] | undefined }[] | undefined;
}

const split = (argument: string): readonly [string, string] => {
  const at = argument.indexOf('=');
  if (at < 1) throw new UsageError('--param needs a name and a value: --param name=value');
  return [argument.slice(0, at), argument.slice(at + 1)];
};

/** The values that a string of the command line can mean, the likeliest first. */
const readingsOf = (strings: readonly string[]): readonly unknown[] => {
  const [value = '', ...more] = strings;
  if (more.length > 0) return [strings, strings.map(Number)];
  const list = value.split(',');
  const readings: unknown[] = [value];
  if (value.trim() !== '' && Number.isFinite(Number(value))) readings.push(Number(value));
  if (value === 'true' || value === 'false') readings.push(value === 'true');
  if (/^-?\d+$/.test(value)) readings.push(BigInt(value));
  if (!Number.isNaN(Date.parse(value))) readings.push(new Date(value));
  return [...readings, list, list.map(Number)];
};

/**
 * Reads an endpoint's own query parameters. Each is tried as a string first, then as other types that its schema may want.
 *
 * @param given - `name=value`; a name that is given several times makes a list
 * @throws {@link UsageError} for an argument without a name, or a name that the endpoint does not declare
 */
export const readParams = async (
  { path, options }: Collection,
  given: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given.length === 0) return undefined;
  const strings = new Map<string, string[]>();
  for (const [name, value] of given.map(split)) strings.set(name, [...(strings.get(name) ?? []), value]);
  const left = new Map([...strings].map(([name, values]) => [name, [...readingsOf(values)]]));
  const values = Object.fromEntries([...left].map(([name, readings]) => [name, readings.shift()]));
  if (options.params === undefined) throw new UsageError(`${path} declares no parameters of its own`);
  // Called through the standard, so that the version of zod does not matter.
  const schema = options.params as unknown as StandardSchema;
  for (;;) {
    const { value, issues } = await schema['~standard'].validate(values);
    if (issues === undefined) {
      const dropped = Object.keys(values).find((name) => !Object.hasOwn(Object(value), name));
      if (dropped !== undefined) throw new UsageError(`${path} does not declare the parameter ${dropped}`);
      return values;
    }
    const wrong = issues.map((issue) => String(issue.path?.[0])).find((name) => left.get(name)?.length);
    // The client reports what does not fit.
    if (wrong === undefined) return values;
    values[wrong] = left.get(wrong)?.shift();
  }
};
