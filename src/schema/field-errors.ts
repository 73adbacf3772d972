import type { ErrorItem } from '../conventions.ts';
import { isApiError, type ValidationError } from '../errors/api-error.ts';
import type { Resource } from './resource.ts';
import type { ValuePathsOf } from './types/field-path.ts';

/** The fields of a body that an error may name, `device.model` or `` `lines.${number}.sku` `` (§2.3). */
export type BodyPath<R extends Resource> = ValuePathsOf<R['_zod']['def']['shape']>;

/** A path without an index: that one can be offered, one with any number cannot. */
type IsName<Path extends string> = Record<never, never> extends Record<Path, unknown> ? false : true;

/** Items by dotted field path; the paths of the resource's body are offered, and any other one may be there. */
export type FieldErrors<R extends Resource> = Readonly<Record<string, readonly ErrorItem[]>> & {
  readonly [Path in BodyPath<R> as IsName<Path> extends true ? Path : never]?: readonly ErrorItem[];
};

/** A {@link ValidationError} of a body of this resource. */
export type ValidationErrorOf<R extends Resource> = ValidationError & {
  readonly fieldErrors: FieldErrors<R>;
};

interface IsValidationError {
  (error: unknown): error is ValidationError;
  /** @param resource - whose body was sent: `fieldErrors` then knows its field paths */
  <R extends Resource>(error: unknown, resource: R): error is ValidationErrorOf<R>;
}

/**
 * True for a 400 that names the fields in error (§7.2), also from another copy of the package.
 *
 * @example
 * ```ts
 * if (isValidationError(error, Order)) showAt('device.model', error.fieldErrors['device.model']);
 * ```
 */
export const isValidationError: IsValidationError = (error: unknown): error is ValidationError =>
  isApiError(error) && error.code === 'validation_failed';
