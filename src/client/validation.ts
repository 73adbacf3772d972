import { toShown } from '../errors/error-body.ts';
import type { Issue } from '../errors/response-error.ts';
import type { ApiRequest } from '../http/message.ts';
import { type Mask, shortestInOurs } from '../http/secrets.ts';
import { maskUrl } from '../http/url.ts';
import { checkOf } from '../options.ts';
import { below, maxIssues, parse } from '../schema/codec.ts';
import type { Schema } from '../schema/types/shape.ts';
import type { Events } from './observers.ts';

/**
 * What {@link createClient} does about a response that does not match its declaration: `throw` throws an
 * `UnexpectedResponseError`; `warn` calls `on.validation` (without an observer it writes to the console) and returns
 * the raw value; `off` returns it silently. In a list, the records that match are still decoded.
 */
export type Validation = 'throw' | 'warn' | 'off';

const modes: readonly unknown[] = ['throw', 'warn', 'off'] satisfies readonly Validation[];

export const checkValidation = checkOf((mode) => modes.includes(mode), `one of ${modes.join(', ')}`);

const warn = ({ method, url, issues: [first] }: Events['validation']): void =>
  // biome-ignore lint/suspicious/noConsole: without an observer the console is the only place for it
  console.warn(`restkin: ${method} ${url} does not match its declaration: ${first?.path}: ${first?.message}`);

/** Paths and messages hold names that the server chose: they may be of any length, and hold a secret or a line end. */
const maskIssues = (issues: readonly Issue[], mask: Mask): readonly Issue[] => {
  const show = (value: string): string => toShown(value, (shown) => mask(shown, shortestInOurs));
  return issues.map(({ path, message }) => ({ path: show(path), message: show(message) }));
};

/** Checks and decodes the values of a response. Issues, which hold no secret, refuse it; in a list their paths begin with an index. */
export type CheckValues = (
  schema: Schema,
  values: readonly unknown[],
  isList: boolean,
  request: Pick<ApiRequest, 'callId' | 'method' | 'url' | 'mask' | 'wire'>,
) => { readonly values: readonly unknown[]; readonly issues: readonly Issue[] };

export const createCheck =
  (mode: Validation = 'throw', onMismatch: (event: Events['validation']) => void = warn): CheckValues =>
  (schema, given, isList, { callId, method, url, mask, wire }) => {
    const values: unknown[] = [];
    const issues: Issue[] = [];
    for (const value of given) {
      const parsed = parse(schema, value);
      if (!parsed.ok) {
        const place = isList ? String(values.length) : '';
        for (const { path, message } of parsed.issues) issues.push({ path: below(place, path), message });
        if (mode === 'throw' && issues.length >= maxIssues) break;
      }
      values.push(parsed.ok ? parsed.value : value);
    }
    const shown = maskIssues(issues.slice(0, maxIssues), mask);
    if (mode === 'throw') return { values, issues: shown };
    if (shown.length > 0 && mode === 'warn')
      onMismatch({ callId, method, url: maskUrl(url, mask, wire?.parameters), issues: shown });
    return { values, issues: [] };
  };
