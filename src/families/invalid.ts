import { pathSeparator } from '../conventions.ts';
import { listOf } from '../errors/error-body.ts';
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

/**
 * A path with dots. Spring and Rails write `lines[0].sku` for `lines.0.sku`, others a JSON Pointer (RFC
 * 6901), `/lines/0/sku` or `#/lines/0/sku`.
 */
const withDots = (path: string): string => {
  const [pointer] = /^#?\//.exec(path) ?? [];
  if (pointer !== undefined) return path.slice(pointer.length).replaceAll('/', pathSeparator);
  return path.replace(/\[([^[\]]*)\]/g, `${pathSeparator}$1`).replace(/^\./, '');
};

const toField = (value: unknown): string => {
  // Names and indexes. Anything else is no part of a path.
  if (Array.isArray(value))
    return value.filter((part) => ['string', 'number'].includes(typeof part)).join(pathSeparator);
  return typeof value === 'string' ? withDots(value) : '';
};

/** A path without the name that all of them begin with. */
const withoutPrefix = (path: string, prefix: string | undefined): string => {
  if (prefix === undefined) return path;
  if (path === prefix) return '';
  const start = `${prefix}${pathSeparator}`;
  return path.startsWith(start) ? path.slice(start.length) : path;
};

const toItem = (item: unknown, form: InvalidForm): RawItem => {
  if (typeof item === 'string') return { field: '', message: item };
  const { field = 'field', code = 'code', message = 'message', prefix } = form;
  return {
    field: withoutPrefix(toField(valueAt(item, field)), prefix),
    code: valueAt(item, code),
    message: valueAt(item, message),
    reference: valueAt(item, 'reference'),
  };
};

const fromList = (items: unknown, form: InvalidForm): readonly RawItem[] => {
  if (typeof items === 'string') return [toItem(items, form)];
  return listOf(items)?.map((item) => toItem(item, form)) ?? [];
};

const word = '[\\p{L}\\p{N}_$-]+';
const kind = 'nested property |property |m(?:ax|in)imal allowed date for |All ';
const each = 'each value in ';
const verb = 'must|should|is|are|has|can|cannot|may|does|needs';

/**
 * A sentence of class-validator, about a property: "quantity must be a positive number", "each value in tags
 * must be a string", "property x should not exist". NestJS writes the path to its object before it, as in
 * "lines.0.property x should not exist". A function, so that a bundle without families leaves it out.
 */
const createSentencePattern = (): RegExp =>
  new RegExp(
    `^(?=[\\p{Ll}_$]|All )(?<path>(?:${word}\\.)*)(?<each>${each})?(?<kind>${kind})?(?:${each})?(?<name>${word}(?:\\.${word})*)(?='s | (?:${verb}) )`,
    'u',
  );

// A longer beginning is no path, and its time would grow with the square of its length.
const longestBeginning = 500;

/** The path of the property that a sentence is about; empty where it begins with none. */
const fieldOf = (message: string, sentence: RegExp): string => {
  const groups = sentence.exec(message.slice(0, longestBeginning))?.groups;
  if (groups === undefined) return '';
  const { path = '', name = '' } = groups;
  // NestJS has the path of the array before this one, which names the array again.
  const isNamedTwice = groups.each !== undefined && groups.kind === 'nested property ';
  return isNamedTwice && `.${path}`.endsWith(`.${name}.`) ? path.slice(0, -1) : path + name;
};

const fromSentences = (items: unknown): readonly RawItem[] => {
  const sentence = createSentencePattern();
  return (listOf(items) ?? [])
    .filter((item) => typeof item === 'string')
    .map((message) => ({ field: fieldOf(message, sentence), message }));
};

/** What a map has for a field: a message, or an object with one where the form names its parts. */
const messageOf = (value: unknown, { code, message }: InvalidForm): Omit<RawItem, 'field'> | undefined => {
  if (typeof value === 'string') return { message: value };
  if ((code ?? message) === undefined) return undefined;
  const text = valueAt(value, message ?? 'message');
  return typeof text === 'string' ? { code: valueAt(value, code ?? 'code'), message: text } : undefined;
};

/** The items of a map of messages by field. Other objects, and arrays of them, nest. */
const fromMap = (value: unknown, path: string, form: InvalidForm, depth = 0): readonly RawItem[] => {
  const found = messageOf(value, form);
  if (found !== undefined) return [{ field: path, ...found }];
  if (depth === deepest || typeof value !== 'object' || value === null) return [];
  const isList = listOf(value) !== undefined;
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const isMessage = isList && messageOf(inner, form) !== undefined;
    return fromMap(inner, isMessage || name === form.whole ? path : below(path, name), form, depth + 1);
  });
};

const below = (path: string, name: string): string =>
  path === '' ? withDots(name) : `${path}${pathSeparator}${withDots(name)}`;

const summaryNames = ['detail', 'message', 'error'];

/** The items of a map that is the body itself. A string beside a summary of the error is no field. */
const fromMapBody = (body: Readonly<Record<string, unknown>>, form: InvalidForm): readonly RawItem[] => {
  const hasSummary = summaryNames.some((name) => typeof body[name] === 'string');
  const fields = Object.entries(body).filter(([, value]) => !hasSummary || typeof value !== 'string');
  return fromMap(Object.fromEntries(fields), '', form);
};

/** The items that a server of a family sends for invalid fields; empty when the body has none. */
export const readInvalid = (body: unknown, form: InvalidForm): readonly RawItem[] => {
  const items = valueAt(body, form.items ?? '');
  if (form.form === 'sentences') return fromSentences(items);
  if (form.form !== 'map') return fromList(items, form);
  if (Array.isArray(items)) return fromMap(items, '', form);
  if (!isObject(items)) return [];
  return form.items ? fromMap(items, '', form) : fromMapBody(items, form);
};
