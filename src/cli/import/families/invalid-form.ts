// How a document says that the server reports invalid fields.
import type { InvalidForm, WholeFamily } from '../../../families/family.ts';
import { isObject } from '../../../options.ts';
import { contentsOf, jsonOf } from '../api/contents.ts';
import type { Operation } from '../api/operations.ts';
import { type Json, objectAt, schemaAt, targetOf } from '../json.ts';
import { mostOf } from './list-form.ts';

/** What servers call the parts of an item. The first that an item has counts. */
const usualNames = {
  field: ['field', 'path', 'property', 'param', 'loc', 'pointer', 'attribute'],
  code: ['code', 'type', 'rule', 'keyword'],
  message: ['message', 'msg', 'detail', 'reason', 'description', 'text'],
} as const;

type Parts = Omit<InvalidForm, 'statuses'>;

const isMessages = (document: Json, given: unknown): boolean => {
  const schema = targetOf(document, given);
  return schema.type === 'string' || targetOf(document, schema.items).type === 'string';
};

/** The names that the objects of a schema have for parts of an item. */
const partsIn = (document: Json, schema: unknown, parts: readonly (keyof typeof usualNames)[]): Parts =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const found = usualNames[part].find((name) => schemaAt(document, schema, name) !== undefined);
      return found === undefined ? [] : [[part, found] as const];
    }),
  );

/** The form of a map of messages by field, or of objects with one; undefined for any other schema. */
const mapAt = (document: Json, messages: unknown, items: string): Parts | undefined => {
  if (isMessages(document, messages)) return { items, form: 'map' };
  const inList = targetOf(document, messages).items;
  const parts = partsIn(document, inList ?? messages, ['code', 'message']);
  return parts.message === undefined ? undefined : { items, form: 'map', ...parts };
};

/** The form of what is at a path of an error body; undefined where no fields are reported. */
const formAt = (document: Json, body: unknown, items: string): Parts | undefined => {
  const schema = targetOf(document, schemaAt(document, body, items));
  const hasNames = Object.keys(objectAt(schema, 'properties')).length > 0;
  const { additionalProperties: messages } = schema;
  if (!hasNames && isObject(messages)) return mapAt(document, messages, items);
  const parts = partsIn(document, schema.items, ['field', 'code', 'message']);
  if (parts.field === undefined) return undefined;
  // FastAPI and Pydantic name the place of a request in front of the field.
  return { items, ...parts, ...(parts.field === 'loc' && { prefix: 'body' }) };
};

/** The paths of an error body: itself, its members and theirs. */
const pathsIn = (document: Json, body: unknown): readonly string[] => {
  const namesIn = (schema: unknown) => Object.keys(objectAt(targetOf(document, schema), 'properties'));
  const names = namesIn(body);
  const below = names.flatMap((name) =>
    namesIn(schemaAt(document, body, name)).map((inner) => `${name}.${inner}`),
  );
  return ['', ...names, ...below];
};

/** The form in which a response reports fields; undefined without any. */
const formOf = (document: Json, response: unknown): Parts | undefined => {
  const json = jsonOf(contentsOf(targetOf(document, response)));
  if (json === undefined) return undefined;
  const forms = pathsIn(document, json.schema).map((path) => formAt(document, json.schema, path));
  return forms.find((form) => form !== undefined);
};

const usual: Parts = { items: '', form: 'list', field: 'field', code: 'code', message: 'message' };

/** Whether a family reads a form as it is. Parts that the form does not have may be called anything. */
const isReadBy = (invalid: InvalidForm, form: Parts): boolean => {
  const declared: Parts = { ...usual, ...invalid };
  return Object.entries({ ...form, form: form.form ?? 'list' }).every(
    ([part, value]) => declared[part as keyof Parts] === value,
  );
};

/** The form of invalid fields, where most bodies of errors have another one than the family. */
export const invalidOf = (
  document: Json,
  operations: readonly Operation[],
  { invalid }: WholeFamily,
): { readonly invalid?: InvalidForm } => {
  const found = operations.flatMap(({ value, bodies }) =>
    ([422, 400] as const).flatMap((status) => {
      const form = formOf(document, objectAt(value, 'responses')[status]);
      return form === undefined || bodies.length === 0 ? [] : [{ status, form }];
    }),
  );
  const form = mostOf(found.map((one) => one.form));
  const alike = found.filter((one) => JSON.stringify(one.form) === JSON.stringify(form));
  const [status, ...others] = [...new Set(alike.map((one) => one.status))];
  if (form === undefined || status === undefined) return {};
  const statuses: InvalidForm['statuses'] = [status, ...others];
  if (!isReadBy(invalid, form)) return { invalid: { statuses, ...form } };
  return statuses.every((one) => invalid.statuses.includes(one)) ? {} : { invalid: { ...invalid, statuses } };
};
