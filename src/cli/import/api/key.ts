// The field of a resource that is in the path of one of them.
import { targetOf } from '../json.ts';
import type { Model } from '../model.ts';
import { type Schema, withoutNull } from '../schemas/schema.ts';
import type { Operation } from './operations.ts';

/** `{order_id}` and `{orderId}`, but not `{issue_iid}`. */
const namesId = (name: string): boolean => /(?:^|[^a-z])id$|[a-z]I[dD]$/.test(name);

/** Whether the name of a parameter ends with that of a field: `{issue_number}` or `{issueNumber}`. */
const endsWithField = (name: string, field: string): boolean => {
  const hump = field.slice(0, 1).toUpperCase() + field.slice(1);
  const isHump = name.endsWith(hump) && /[a-z\d]$/.test(name.slice(0, -hump.length));
  return name.endsWith(`_${field}`) || name.endsWith(`-${field}`) || (isHump && hump !== field);
};

/** A string or a number; undefined for what no path can have, and where the document says nothing. */
const kindOf = (type: unknown): 'string' | 'number' | undefined => {
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' ? type : undefined;
};

/**
 * The field that the path parameter for one resource is, by its name and its type: `id`, whatever its name in
 * the document, or another one. Undefined for a parameter that is not a field of the resource.
 */
export const keyFieldOf = (
  name: string,
  { ownKey, pathParameters }: Operation,
  resource: Schema,
  model: Model,
): string | undefined => {
  const { structureOf, document, family, isExport } = model;
  if (ownKey !== undefined) return ownKey;
  if (isExport) return 'id';
  const kind = kindOf(targetOf(document, pathParameters.get(name)?.schema).type);
  const kindOfField = (field: string) =>
    kindOf(structureOf(withoutNull(structureOf(model.fieldOf(resource, field) ?? {}))).type);
  const isSame = (field: string): boolean => kind !== undefined && kind === kindOfField(field);
  if (name !== family.idField && model.fieldOf(resource, name) !== undefined)
    return isSame(name) ? name : undefined;
  if (namesId(name)) return 'id';
  const [field] = Object.keys(structureOf(resource).properties ?? {})
    .filter((one) => one !== family.idField && endsWithField(name, one) && isSame(one))
    .toSorted((a, b) => b.length - a.length);
  if (field !== undefined) return field;
  const isOther = kind !== undefined && kindOfField(family.idField) !== undefined && !isSame(family.idField);
  return isOther && !/id$/i.test(name) ? undefined : 'id';
};
