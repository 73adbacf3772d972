import { type Mask, toShown } from '../errors/error-body.ts';
import type { Issue } from '../errors/response-error.ts';
import type { ApiRequest } from '../http/message.ts';
import { minLengthInKnownText } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { checkOf, isObject } from '../options.ts';
import { below, maxIssues, type ParsedIssue, parse } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import { fieldOf } from '../schema/zod.ts';
import type { Events } from './observers.ts';

/**
 * What {@link createClient} does about a response that does not match its declaration: `throw` throws an
 * `UnexpectedResponseError`; `warn` calls `on.validation` (without an observer it writes to the console) and
 * returns the raw value; `off` returns it silently. In a list, the records that match are still decoded.
 */
export type Validation = 'throw' | 'warn' | 'off';

const modes: readonly unknown[] = ['throw', 'warn', 'off'] satisfies readonly Validation[];

export const checkValidation = checkOf((mode) => modes.includes(mode), `one of ${modes.join(', ')}`);

const warn = ({ method, url, issues: [first] }: Events['validation']): void =>
  // biome-ignore lint/suspicious/noConsole: without an observer the console is the only place for it
  console.warn(`restkin: ${method} ${url} does not match its declaration: ${first?.path}: ${first?.message}`);

/** The longest value that an issue shows, in characters. */
const maxValueLength = 100;

/** The value at the keys of an issue; undefined where there is none. */
const valueAt = (record: unknown, keys: readonly PropertyKey[]): unknown => {
  let at = record;
  for (const key of keys) {
    const fields: Readonly<Record<PropertyKey, unknown>> = Object(at);
    at = Object.hasOwn(fields, key) ? fields[key] : undefined;
  }
  return at;
};

/**
 * A received value as JSON; undefined where there is none, and where it is nested too deeply to be written.
 */
const toJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

const idOf = (record: unknown): string | number | undefined => {
  const id = isObject(record) ? record.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
};

/** The field that holds the resource: it has more of the declared fields than the body has around it. */
const wrapperIn = (body: unknown, schema: Schema): string | undefined => {
  const count = (value: unknown): number =>
    Object.keys(Object(value)).filter((name) => fieldOf(schema, name)).length;
  return Object.keys(Object(body)).find((name) => count(valueAt(body, [name])) > count(body));
};

/** What to declare for an issue that a newcomer meets, by the field and what it was. */
const hintFor = (
  record: unknown,
  { keys, expected, format }: ParsedIssue,
  schema: Schema,
  idField: string,
): string => {
  const name = keys.at(-1);
  const value = valueAt(record, keys);
  const isMissing = value === undefined;
  const isText = typeof value === 'string';
  if (name === 'id' && isMissing) {
    const wrapper = wrapperIn(record, schema);
    if (wrapper !== undefined)
      return `; the resource is in \`${wrapper}\`: declare family({ item: '${wrapper}' })`;
    return idField === 'id'
      ? "; if it has another name, declare family({ idField: '_id' })"
      : `; the family has it in \`${idField}\`: correct its idField`;
  }
  if (name === 'id' && expected === 'number' && isText)
    return '; if ids are strings, declare resource({ id: z.string(), ... })';
  if (name === 'self' && isMissing)
    return '; if it has none, declare resource({ self: z.optional(z.string()), ... })';
  if (expected === 'date' && isText) return '; JSON has no dates: declare a z.codec()';
  if (format === 'datetime' && /[+-]\d\d:\d\d$/.test(String(value)))
    return '; it has an offset: declare z.iso.datetime({ offset: true })';
  return '';
};

/**
 * Checks and decodes the values of a response. Issues, which hold no secret, refuse it; in a list their paths
 * begin with an index.
 */
export type CheckValues = (
  schema: Schema,
  values: readonly unknown[],
  isList: boolean,
  request: Pick<ApiRequest, 'callId' | 'method' | 'url' | 'mask' | 'wire'>,
) => CheckedValues;

/** The values of a response, decoded where they match, and the issues that refuse it. */
interface CheckedValues {
  readonly values: readonly unknown[];
  readonly issues: readonly Issue[];
  /** What to declare for the first issue; empty where there is nothing to say. */
  readonly hint: string;
}

/**
 * Collects the issues of records: one that several have once, with their number.
 *
 * @param toHint - says what to declare for the first issue
 */
const createIssues = (
  isList: boolean,
  showValues: boolean,
  mask: Mask,
  toHint: (record: unknown, issue: ParsedIssue) => string,
) => {
  const known = new Map<string, { readonly issue: Issue; records: number }>();
  let count = 0;
  let hint = '';
  // Paths, messages and values hold what the server chose: they may be of any length, and hold a secret or a
  // line end.
  const show = (text: string): string => toShown(text, mask, minLengthInKnownText);

  const toIssue = (record: unknown, index: number, { path, message, keys }: ParsedIssue): Issue => {
    const id = isList ? idOf(record) : undefined;
    const shownId = show(String(id));
    const value = showValues ? toJson(valueAt(record, keys)) : undefined;
    return {
      path: show(below(isList ? String(index) : '', path)),
      message: show(message),
      // A number stays one, unless it is a secret.
      ...(id !== undefined && { id: shownId === String(id) ? id : shownId }),
      // A path and a message have words of the declaration, which stay. A value has none.
      ...(value !== undefined && { value: toShown(value, mask).slice(0, maxValueLength) }),
    };
  };

  return {
    add: (record: unknown, index: number, parsed: ParsedIssue): void => {
      if (count === 0) hint = toHint(record, parsed);
      count++;
      const key = `${parsed.path}\n${parsed.message}`;
      const same = known.get(key);
      if (same !== undefined) same.records++;
      else if (known.size < maxIssues) known.set(key, { issue: toIssue(record, index, parsed), records: 1 });
    },
    isFull: (): boolean => count >= maxIssues,
    hint: (): string => hint,
    all: (): readonly Issue[] =>
      [...known.values()].map(({ issue, records }) => (records > 1 ? { ...issue, records } : issue)),
  };
};

/** @param showValues - whether issues show what was received */
export const createCheck =
  (
    mode: Validation = 'throw',
    onMismatch: (event: Events['validation']) => void = warn,
    showValues = false,
  ): CheckValues =>
  (schema, given, isList, { callId, method, url, mask, wire }) => {
    const values: unknown[] = [];
    const { idField = 'id' } = wire?.family ?? {};
    const found = createIssues(isList, showValues, mask, (record, issue) =>
      hintFor(record, issue, schema, idField),
    );
    for (const value of given) {
      const parsed = parse(schema, value);
      if (!parsed.ok) for (const issue of parsed.issues) found.add(value, values.length, issue);
      // A refused response needs no more issues.
      if (mode === 'throw' && found.isFull()) break;
      values.push(parsed.ok ? parsed.value : value);
    }
    const issues = found.all();
    if (mode === 'throw') return { values, issues, hint: found.hint() };
    if (issues.length > 0 && mode === 'warn')
      onMismatch({ callId, method, url: maskUrl(url, mask, wire?.parameters), issues });
    return { values, issues: [], hint: '' };
  };
