import { isObject } from '../../src/options.ts';
import type { Schema } from '../../src/schema/types/shape.ts';
import type { MockEndpoint } from '../collections/endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { fits } from '../rows/schema.ts';
import { addSelf } from '../rows/self.ts';
import { createRandom } from './random.ts';
import { generateValue } from './value.ts';
import { createValueContext, GenerationError, type Related } from './value-context.ts';

/**
 * A response of an endpoint that fits its schema: always the same for the same seed and URL.
 *
 * @param self - of a resource; without one, it has a URN
 * @throws Error for a schema that no value can be generated for
 */
export const generateResponse = (
  { api, name, path }: MockEndpoint,
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
  const context = createValueContext({ key: name, random, assignsIds: false, relate });
  let cause: unknown;
  try {
    const value = addSelf(generateValue(schema, context), schema, name, self);
    if (fits(schema, value)) return value;
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    cause = error;
  }
  throw new Error(`no response can be generated for the endpoint ${path}; give a handler in endpoints`, {
    cause,
  });
};
