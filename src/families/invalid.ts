import { pathSeparator } from '../conventions.ts';
import { isObject } from '../options.ts';
import type { InvalidForm } from './family.ts';
import { valueAt } from './path.ts';

/** An item of an error body (§2.3) before it is cleaned; `field` is empty for one about the whole body. */
export interface RawItem {
  readonly field: string;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly reference?: unknown;
}

// An error body is bounded, but not its nesting.
const deepest = 20;

const toField = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join(pathSeparator);
  return typeof value === 'string' ? value : '';
};

const toItem = (item: unknown, form: InvalidForm): RawItem => {
  if (typeof item === 'string') return { field: '', message: item };
  const { field = 'field', code = 'code', message = 'message' } = form;
  return {
    field: toField(valueAt(item, field)),
    code: valueAt(item, code),
    message: valueAt(item, message),
    reference: valueAt(item, 'reference'),
  };
};

const fromList = (items: unknown, form: InvalidForm): readonly RawItem[] =>
  Array.isArray(items) ? items.map((item: unknown) => toItem(item, form)) : [];

/** NestJS writes the path of the property first: "lines.0.quantity must be a positive number". */
const fromSentences = (items: unknown): readonly RawItem[] => {
  if (!Array.isArray(items)) return [];
  return items
    .filter((item: unknown): item is string => typeof item === 'string')
    .map((message) => ({ field: /^[a-z_$][\w$]*(?:\.[\w$]+)*(?= )/.exec(message)?.[0] ?? '', message }));
};

/** The items of a map of messages by field. Objects and arrays of objects nest. */
const fromMap = (value: unknown, path: string, form: InvalidForm, depth = 0): readonly RawItem[] => {
  if (typeof value === 'string') return [{ field: path, message: value }];
  if (depth === deepest || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const isMessage = typeof item === 'string';
      return fromMap(item, isMessage ? path : below(path, String(index)), form, depth + 1);
    });
  return Object.entries(value).flatMap(([name, inner]) =>
    fromMap(inner, name === form.whole ? path : below(path, name), form, depth + 1),
  );
};

const below = (path: string, name: string): string => (path === '' ? name : `${path}${pathSeparator}${name}`);

/** The items that a server of a family sends for invalid fields; empty when the body has none. */
export const readInvalid = (body: unknown, form: InvalidForm): readonly RawItem[] => {
  const items = valueAt(body, form.items ?? '');
  if (form.form === 'sentences') return fromSentences(items);
  if (form.form !== 'map') return fromList(items, form);
  if (!isObject(items)) return [];
  if (form.items) return fromMap(items, '', form);
  // Where the map is the body itself, a string is the summary of the error.
  const fields = Object.entries(items).filter(([, value]) => typeof value !== 'string');
  return fromMap(Object.fromEntries(fields), '', form);
};
