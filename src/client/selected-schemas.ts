import type { Schema } from '../query/shape.ts';
import { listOf } from '../schema/parse.ts';
import { type Selection, selectFrom } from '../schema/select.ts';

/** The schemas of one selection. */
export interface SelectedSchemas {
  readonly item: Schema;
  readonly list: Schema;
}

// Selections come from code and are few; one that is computed per call must not grow for ever.
const mostSelections = 200;

/** Derives the schemas of a resource once per selection of `fields` and `expand`, and remembers them. */
export const createSelectedSchemas = (
  resource: Schema,
  fetchable: boolean,
): ((selection: Selection) => SelectedSchemas) => {
  const derived = new Map<string, SelectedSchemas>();
  return ({ fields, expand }) => {
    const key = JSON.stringify([fields, expand]);
    const known = derived.get(key);
    if (known !== undefined) return known;
    const item = selectFrom(resource, { fields, expand }, fetchable);
    const schemas = { item, list: listOf(item) };
    if (derived.size >= mostSelections) derived.clear();
    derived.set(key, schemas);
    return schemas;
  };
};
