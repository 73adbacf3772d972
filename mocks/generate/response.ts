import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { MockEndpoint } from '../collections/endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { fits } from '../rows/parse.ts';
import { addSelf } from '../rows/self.ts';
import { problemWith } from './problem.ts';
import { createRandom } from './random.ts';
import { generateValue } from './value.ts';
import { createValueContext, GenerationError, type Related } from './value-context.ts';

/**
 * Makes up what a declared endpoint without a handler and without a stored row responds with: a value that
 * fits the schema of its response, always the same for the same seed and URL.
 *
 * @param schema - of the response
 * @param self - the URL of the response, where it is a resource that can be fetched; else `self` is a URN
 * @throws Error for a schema that no value can be generated for, with the field, the reason and what to do
 */
export const generateResponse = (
  { api, name, key, path }: MockEndpoint,
  schema: Schema,
  { url, context: { collections, options } }: Exchange,
  self: string | undefined,
): unknown => {
  // Relations are whole: the response is not of a collection, so nothing else resolves them.
  const relate = (target: Schema): Related => {
    const [row] = collections.ownersOf(api, target)[0]?.table.rows.values() ?? [];
    if (row === undefined) return { kind: 'noCollection' };
    const value = addSelf({ ...row.value, id: row.id }, target, name);
    return isObject(value) && fits(target, value) ? { kind: 'row', value } : { kind: 'noCollection' };
  };
  const random = createRandom(`${options.seed ?? 1}/${url.pathname}`);
  const context = createValueContext({ key: name, random, addedLater: ['self'], relate });
  const fail = (problem: string): never => {
    throw new Error(
      `no response can be generated for the endpoint ${path}: ${problem}; give a handler in endpoints[${JSON.stringify(key)}]`,
    );
  };
  try {
    const value = addSelf(generateValue(schema, context), schema, name, self);
    const problem = problemWith(schema, value);
    return problem === undefined ? value : fail(problem);
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    return fail(error.path === '' ? error.reason : `the field "${error.path}": ${error.reason}`);
  }
};
