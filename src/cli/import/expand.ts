import { isObject } from '../../options.ts';
import { follow, type Json, listAt, objectAt } from './json.ts';
import { isJson, type Operation } from './operations.ts';

/** The objects that have the fields of a schema: its own, and those of its parts in `allOf`. */
const ownersOf = (document: Json, schema: unknown): readonly Record<string, unknown>[] => {
  const { value } = follow(document, schema) ?? {};
  if (value === undefined) return [];
  const parts = listAt(value, 'allOf');
  return [objectAt(value, 'properties'), ...parts.flatMap((part) => ownersOf(document, part))];
};

const ownerOf = (document: Json, schema: unknown, name: string): Record<string, unknown> | undefined =>
  ownersOf(document, schema).find((owner) => Object.hasOwn(owner, name));

/** The same field in both forms of §2.1, or as it is where it is no resource with more than `id` and `self`. */
const withReference = (document: Json, field: unknown): unknown => {
  if (!isObject(field)) return field;
  if (field.items !== undefined) return { ...field, items: withReference(document, field.items) };
  const options = field.anyOf === undefined ? [field] : listAt(field, 'anyOf');
  const [resource, ...others] = options.filter((one) => !isObject(one) || one.type !== 'null');
  const names = ownersOf(document, resource).flatMap(Object.keys);
  if (others.length > 0 || !names.includes('id') || !names.includes('self') || names.length < 3) return field;
  const { id } = ownerOf(document, resource, 'id') ?? {};
  const properties = { id, self: { type: 'string', format: 'uri' } };
  return { anyOf: [...options, { type: 'object', required: ['id', 'self'], properties }] };
};

/**
 * Writes `owner: { $ref: Owner }` as `Owner` or `{ id, self }` where a GET has an `expand` that names `owner`: the whole
 * resource comes only then (§4.4). Changes the document.
 */
export const writeReferences = (document: Json, operations: readonly Operation[]): void => {
  const targetOf = (schema: unknown): Json => follow(document, schema)?.value ?? {};
  const itemOf = (schema: unknown): Json => {
    const value = targetOf(schema);
    return isObject(value.items) ? targetOf(value.items) : value;
  };
  for (const { method, parameters, responses } of operations) {
    const expand = parameters.find(({ name, in: place }) => name === 'expand' && place === 'query');
    const content = responses.flatMap(({ contents }) => contents.filter(isJson))[0];
    if (method !== 'GET' || expand === undefined || content === undefined) continue;
    for (const path of listAt(itemOf(expand.schema), 'enum')) {
      let at: unknown = content.schema;
      const names = String(path).split('.');
      for (const [index, name] of names.entries()) {
        const item = itemOf(at);
        const fields = ownerOf(document, listAt(item, 'anyOf')[0] ?? item, name);
        if (fields === undefined) break;
        if (index === names.length - 1) fields[name] = withReference(document, fields[name]);
        at = fields[name];
      }
    }
  }
};
