import type { Collection } from '../index.ts';
import { UsageError } from './usage-error.ts';

// Standard Schema (standardschema.dev), which every schema of zod has: the part of it that is read here.
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

/** What a text on the command line may stand for, the likeliest first. */
const readingsOf = (texts: readonly string[]): readonly unknown[] => {
  const [text = '', ...more] = texts;
  if (more.length > 0) return [texts, texts.map(Number)];
  const list = text.split(',');
  const readings: unknown[] = [text];
  if (text.trim() !== '' && Number.isFinite(Number(text))) readings.push(Number(text));
  if (text === 'true' || text === 'false') readings.push(text === 'true');
  if (/^-?\d+$/.test(text)) readings.push(BigInt(text));
  if (!Number.isNaN(Date.parse(text))) readings.push(new Date(text));
  return [...readings, list, list.map(Number)];
};

/**
 * Reads an endpoint's own query parameters. Each is tried as a text, then as what else its schema may want.
 *
 * @param given - `name=value`; a name that stands there several times makes a list
 * @throws {@link UsageError} for an argument without a name, or a name that the endpoint does not declare
 */
export const readParams = async (
  { path, options }: Collection,
  given: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (given.length === 0) return undefined;
  const texts = new Map<string, string[]>();
  for (const [name, value] of given.map(split)) texts.set(name, [...(texts.get(name) ?? []), value]);
  const left = new Map([...texts].map(([name, values]) => [name, [...readingsOf(values)]]));
  const values = Object.fromEntries([...left].map(([name, readings]) => [name, readings.shift()]));
  if (options.params === undefined) throw new UsageError(`${path} declares no parameters of its own`);
  // What of it is called is checked by its standard, not by zod's version.
  const schema = options.params as unknown as StandardSchema;
  for (;;) {
    const { value, issues } = await schema['~standard'].validate(values);
    if (issues === undefined) {
      const dropped = Object.keys(values).find((name) => !Object.hasOwn(Object(value), name));
      if (dropped !== undefined) throw new UsageError(`${path} does not declare the parameter ${dropped}`);
      return values;
    }
    const wrong = issues.map((issue) => String(issue.path?.[0])).find((name) => left.get(name)?.length);
    // The client says what does not fit.
    if (wrong === undefined) return values;
    values[wrong] = left.get(wrong)?.shift();
  }
};
