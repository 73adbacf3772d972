import { header, type Method, paginationHeader } from '../conventions.ts';
import { pathsIn } from '../families/path.ts';
import { type Links, parseLink } from '../headers/paging.ts';
import type { HeaderFields } from '../http/fields.ts';
import { isObject } from '../options.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Of a path or a query. */
export type Parameters = Readonly<Record<string, string | number>>;

/** The names of a family, whose values a finding may show. */
export interface Shown {
  readonly parameters: readonly string[];
  /** Of header fields, in lower case. */
  readonly fields: readonly string[];
}

/** What a family has in place of what the conventions name. */
export interface Names {
  status(status: number): string;
  field(name: keyof typeof paginationHeader): string;
}

export interface WireRequest {
  readonly method: Method | 'HEAD';
  readonly url: string;
  readonly headers: HeaderFields;
  readonly body?: string | undefined;
  /** True for a request whose input no server may accept. */
  readonly isInvalid?: boolean;
  /** What a finding may show of it, beside what the conventions name. */
  readonly shown?: Shown | undefined;
}

export interface Exchange {
  readonly request: WireRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly json: unknown;
  /** The exchange as it was sent, where a family is translated. */
  readonly sent?: Exchange;
  /** What the family says that the response has, and it lacks. */
  readonly missing?: string | undefined;
  readonly names?: Names;
}

/** The status as it was sent: a family may have another one than the conventions. */
export const sentStatus = ({ sent, status }: Exchange): number => sent?.status ?? status;

/** The statuses of the conventions as the API has them. */
export const describeStatuses = ({ names }: Exchange, statuses: readonly number[]): string =>
  statuses.map((status) => names?.status(status) ?? status).join(' or ');

export const tokenEndpoint = 'token endpoint';

export const valueIn = ({ json }: Exchange, name: string): unknown =>
  isObject(json) ? json[name] : undefined;

const isRecords = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** The path of records in the body that was sent, at most two names deep; empty for the body itself. */
export const recordsPathIn = ({ sent, json }: Exchange): string | undefined => {
  const body = sent === undefined ? json : sent.json;
  return isRecords(body) ? '' : pathsIn(body, isRecords)[0];
};

export const errorItemsOf = (exchange: Exchange): readonly Json[] => {
  const errors = valueIn(exchange, 'errors');
  return Array.isArray(errors) ? errors.filter(isObject) : [];
};

export const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/**
 * A function that does its work once for the same arguments, as JSON compares them, unless `known` forgets
 * it.
 */
export const once =
  <A extends readonly unknown[], T>(work: (...args: A) => T, known = new Map<string, T>()) =>
  (...args: A): T => {
    const id = JSON.stringify(args);
    const result = known.get(id) ?? work(...args);
    known.set(id, result);
    return result;
  };

export const isSameResource = ({ json }: Exchange, { id }: Json): boolean =>
  isObject(json) && String(json.id) === String(id);

/** An integer of a header field; undefined for anything else. */
export const countIn = ({ headers }: Exchange, name: keyof typeof paginationHeader): number | undefined => {
  const value = headers.get(paginationHeader[name])?.trim() ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
};

export const linksOf = ({ headers }: Exchange): Links =>
  parseLink(headers.get(header.link) ?? '') ?? new Map<string, string>();
