// The values that the schema of a list's parameter lists, as an enum does.
import type { Schema } from '../../src/schema/types/shape.ts';
import { coreOf, fieldsOf, knownValuesOf, valuesOf } from '../../src/schema/zod.ts';
import type { Collections, MockCollection } from '../collections/link.ts';

/** What servers such as GitHub and GitLab list beside the values of a field: the records with any of them. */
const anyValue = 'all';

const listedIn = (schema: Schema): readonly unknown[] => {
  const core = coreOf(schema);
  return knownValuesOf(core) ?? valuesOf(core);
};

/** Whether a parameter selects the rows with any value of a field, which does not list `all` itself. */
export const isForAnyValue = (sent: unknown, parameter: Schema | undefined, field: Schema): boolean =>
  [sent].flat().includes(anyValue) &&
  parameter !== undefined &&
  listedIn(parameter).includes(anyValue) &&
  !listedIn(field).includes(anyValue);

/** The strings that lists of the rows of a table select by, for each name of a parameter that lists them. */
export const listedStringsOf = (
  { table }: MockCollection,
  { all }: Collections,
): ReadonlyMap<string, readonly string[]> => {
  const schemas = all.filter((one) => one.table === table).map((one) => one.declaration.options.params);
  const parameters = schemas.flatMap((schema) => Object.entries((schema && fieldsOf(schema)) ?? {}));
  return new Map(
    parameters.map(([name, parameter]) => {
      const strings = listedIn(parameter).filter((value) => typeof value === 'string');
      return [name, strings.filter((value) => value !== anyValue)];
    }),
  );
};
