import type { Schema } from './schema.ts';

/** What of the document a declaration does not say, and of which field. */
export interface Loss {
  /** The dotted path of the field; empty for the schema itself. */
  readonly path: string;
  readonly reason: string;
}

/** The losses of a schema, but for those of the components that it refers to. */
export const lossesOf = (schema: Schema, path = ''): readonly Loss[] => {
  const { lost, properties = {}, anyOf, prefixItems, items, additionalProperties, propertyNames } = schema;
  const parts = [anyOf, prefixItems, items, additionalProperties, propertyNames].flat();
  const below = [
    ...Object.entries(properties).flatMap(([name, field]) =>
      lossesOf(field, path === '' ? name : `${path}.${name}`),
    ),
    ...parts.flatMap((part) => (part === undefined ? [] : lossesOf(part, path))),
  ];
  return lost === undefined ? below : [{ path, reason: lost }, ...below];
};
