import { toShown } from '../errors/error-body.ts';
import type { Issue } from '../errors/response-error.ts';
import type { ApiRequest } from '../http/message.ts';
import { type Mask, shortestInOurs } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { checkOf, isObject } from '../options.ts';
import { type Parsed, parseAny, whenParsed } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import { decodes, elementOf, kindOf } from '../schema/zod.ts';
import type { ValidationEvent } from './observers.ts';

/**
 * What {@link createClient} does about a response that does not match its declaration: `throw` throws an
 * `UnexpectedResponseError`; `warn` calls `on.validation` (without an observer it writes to the console) and returns
 * the raw value; `off` returns it silently, and skips the check where nothing is decoded. In a list, the records that match are
 * still decoded.
 */
export type Validation = 'throw' | 'warn' | 'off';

const modes: readonly unknown[] = ['throw', 'warn', 'off'] satisfies readonly Validation[];

export const checkValidation = checkOf((mode) => modes.includes(mode), `one of ${modes.join(', ')}`);

const warn = ({ method, url, issues: [first] }: ValidationEvent): void =>
  // biome-ignore lint/suspicious/noConsole: without an observer the console is the only place for it
  console.warn(`restkin: ${method} ${url} does not match its declaration: ${first?.path}: ${first?.message}`);

/** True unless the schema requires a list or an object and the value is not one. Callers rely on it in every mode. */
const hasKind = (schema: Schema, value: unknown): boolean => {
  if (kindOf(schema) === 'object') return isObject(value);
  const element = elementOf(schema);
  return element === undefined || (Array.isArray(value) && value.every((item) => hasKind(element, item)));
};

/** Decodes each record of a list that matches, even if others do not. */
const decodeEach = async (schema: Schema, value: unknown): Promise<unknown> => {
  const element = elementOf(schema);
  if (element === undefined || !Array.isArray(value)) return value;
  return Promise.all(
    value.map(async (item: unknown) => {
      const parsed = await parseAny(element, item);
      return parsed.ok ? parsed.value : item;
    }),
  );
};

/** Paths and messages hold names that the server chose: they may be of any length, and hold a secret or a line end. */
export const maskIssues = (issues: readonly Issue[], mask: Mask): readonly Issue[] => {
  const show = (value: string): string => toShown(value, (shown) => mask(shown, shortestInOurs));
  return issues.map(({ path, message }) => ({ path: show(path), message: show(message) }));
};

/**
 * Checks and decodes a value of a response to a request. The result is a promise only where one is needed: a response of
 * lines may have a million values.
 */
export type CheckValue = (
  schema: Schema,
  value: unknown,
  request: Pick<ApiRequest, 'callId' | 'method' | 'url' | 'mask'>,
) => Parsed | Promise<Parsed>;

/** How a client checks values. */
export const createValueCheck =
  (mode: Validation = 'throw', onMisfit: (event: ValidationEvent) => void = warn): CheckValue =>
  (schema, value, { callId, method, url, mask }) => {
    if (mode === 'off' && hasKind(schema, value) && !decodes(schema)) return { ok: true, value };
    return whenParsed(parseAny(schema, value), (parsed) => {
      if (parsed.ok || mode === 'throw' || !hasKind(schema, value)) return parsed;
      if (mode === 'warn')
        onMisfit({ callId, method, url: maskUrl(url, mask), issues: maskIssues(parsed.issues, mask) });
      return decodeEach(schema, value).then((decoded) => ({ ok: true, value: decoded }));
    });
  };
