// What a call resolves with where a response has no resource.
import { isObject } from '../options.ts';

/** 202: the request passed validation and is processed asynchronously (§7.1); see {@link isAccepted}. */
export interface Accepted {
  readonly outcome: 'accepted';
  /** Absolute URL of the work, when the server gives one. */
  readonly location?: string;
}

/** 204: done, with no body (§7.1); see {@link Operations.update}. */
export interface Done {
  readonly outcome: 'done';
}

/** 304: unchanged since the value of `ifNoneMatch` or `modifiedSince` (§7.1); see {@link isNotModified}. */
export interface NotModified {
  /** Use {@link isNotModified} in place of a comparison: a resource may have a field of this name. */
  readonly outcome: 'notModified';
}

/**
 * Compares the content, because the value may come from a second copy of the package. A resource has an `id`.
 */
const hasOutcome = (value: unknown, outcome: string): boolean =>
  isObject(value) && value.id === undefined && value.outcome === outcome;

/**
 * True when the server accepted the work and does it later (202). A resource is never mistaken for it,
 * because each has an `id` (§2.1).
 *
 * @example
 * ```ts
 * const deleted = await orders.delete(8);
 * console.log(isAccepted(deleted) ? 'the server deletes it later' : 'deleted');
 * ```
 */
export const isAccepted = (value: unknown): value is Accepted => hasOutcome(value, 'accepted');

/**
 * True for the response 304 to a conditional call.
 *
 * @example
 * ```ts
 * const { data, response } = await orders.get(7).withResponse();
 * const later = await orders.get(7, { ifNoneMatch: response.etag });
 * const current = isNotModified(later) ? data : later;
 * ```
 */
export const isNotModified = (value: unknown): value is NotModified => hasOutcome(value, 'notModified');
