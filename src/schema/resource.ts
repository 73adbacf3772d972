import {
  type $strip,
  $ZodCheckLessThan,
  $ZodNumber,
  type $ZodObject,
  $ZodOptional,
  $ZodString,
  type $ZodType,
  $ZodUndefined,
  type $ZodUndefinedInternals,
  clone,
} from 'zod/v4/core';
import { identityFields } from '../conventions.ts';
import { InvalidRequestError } from '../errors/restkin-error.ts';
import type { Wire } from '../families/wire.ts';
import { isObject } from '../options.ts';
import type { AbsentTarget, AnySchema, ExpansionTarget, Schema, Shape } from './types/shape.ts';
import { coreOf, fieldOf, fieldsOf, isSchema, objectOf, targetOf } from './zod.ts';

/** The fields that every resource has (§2.1); a declaration may give its own `id`, for example a string. */
export type Identity = {
  readonly id: $ZodNumber<number>;
  readonly self: ImpliedSelf;
};

/**
 * The `self` of a resource whose declaration does not name it: required where the resource can be fetched on
 * its own, optional elsewhere (§2.1). A declared one is taken as it stands.
 */
export interface ImpliedSelf extends $ZodOptional<$ZodString<string>> {
  /** Tells it from a declared one. */
  readonly isImplied: true;
}

/** The fields that {@link resource} takes. */
export type Fields = Readonly<Record<string, AnySchema>>;

/**
 * The fields of a {@link resource}, as an editor shows them: those of the identity and the declared ones, in
 * their order.
 */
export type WithIdentity<Sh extends Fields, I = Identity> = Omit<I, keyof Sh> & Sh extends infer All
  ? { readonly [K in keyof All]: All[K] }
  : never;

/**
 * A resource of the API (§2.1): a zod schema of its fields with `id` and `self`, made by {@link resource}.
 *
 * Fields that the declaration does not know pass through: a minor release may add some (§9.2).
 */
export interface Resource<Sh extends Shape = Shape> extends $ZodObject<Sh, $strip> {
  /** Marks what {@link resource} returned: any other schema may lack `id` and `self`. */
  readonly isResource: true;
  /** Set by the `resource` of a family: how its servers are spoken to. */
  readonly wire?: Wire;
}

/**
 * A {@link resource} as the constraint of a type parameter sees it. The compiler's message for any other
 * schema shows `Hint`.
 */
export interface AnyResource<Hint = 'make it with resource({ ... }), not with z.object'> extends AnySchema {
  /** See {@link Resource.isResource}. */
  readonly isResource: true | Extract<Hint, never>;
}

// zod's constructors leave the input type open, for coercion; here it equals the output type.
const string = () => new $ZodString({ type: 'string' }) as $ZodString<string>;
// Above this, two ids in JSON become the same number.
const exact = new $ZodCheckLessThan({ check: 'less_than', value: Number.MAX_SAFE_INTEGER, inclusive: true });
const number = () => new $ZodNumber({ type: 'number', checks: [exact] }) as $ZodNumber<number>;

const impliedSelf = () =>
  Object.assign(new $ZodOptional({ type: 'optional', innerType: string() }), { isImplied: true } as const);

/** True for the `self` of a resource whose declaration does not name it. */
export const isImpliedSelf = (schema: Schema | undefined): boolean =>
  schema !== undefined && Object.hasOwn(schema, 'isImplied');

/** True for what {@link resource} returned. */
export const isResource = (value: unknown): value is AnyResource =>
  isSchema(value) && Object.hasOwn(value, 'isResource');

const checkShape = (shape: Fields): void => {
  if (!isObject(shape) || isSchema(shape)) {
    throw new InvalidRequestError(
      'resource() takes an object of fields, such as { name: z.string() }; for a z.object(), pass its `shape`',
    );
  }
  // A getter is not called: the resource that it returns may not exist yet.
  for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(shape))) {
    if (get === undefined && !isSchema(value))
      throw new InvalidRequestError(
        `resource(): the field ${JSON.stringify(name)} must be a schema of zod 4`,
      );
  }
};

/** {@link objectOf}, typed with the declared fields: a misspelt one is a compile error, not `unknown`. */
const openObject = <Sh extends Shape>(shape: () => Sh): $ZodObject<Sh, $strip> =>
  objectOf(shape) as unknown as $ZodObject<Sh, $strip>;

/**
 * Declares a resource by its fields; `id` and `self` are added (§2.1).
 *
 * @param shape - the fields, each a schema of `zod` or `zod/mini`
 * @throws {@link InvalidRequestError} for a field that is not a schema
 * @example
 * ```ts
 * const Company = resource({ name: z.string(), city: z.string() });
 * ```
 */
export const resource = <const Sh extends Fields>(shape: Sh): Resource<WithIdentity<Sh>> =>
  createResource(shape, () => ({ id: number(), self: impliedSelf() }));

/** {@link resource} for a family whose resources have an `id` alone. */
export const resourceWithId = <const Sh extends Fields>(
  shape: Sh,
): Resource<WithIdentity<Sh, Pick<Identity, 'id'>>> => createResource(shape, () => ({ id: number() }));

const createResource = <Sh extends Fields, I>(
  shape: Sh,
  identity: () => I,
): Resource<WithIdentity<Sh, I>> => {
  checkShape(shape);
  // The spread calls the getters of the shape; the resources that they return exist by now.
  const schema = openObject(() => ({ ...identity(), ...shape }) as unknown as WithIdentity<Sh, I>);
  return Object.assign(schema, { isResource: true } as const);
};

/** The schema of a resource's `id`. */
export type IdSchemaOf<R> = R extends { _zod: { def: { shape: { readonly id: infer Id extends Schema } } } }
  ? Id
  : $ZodNumber<number>;

/** The `self` of a reference: a string, or what its target declares. */
type SelfOf<R> = R extends { _zod: { def: { shape: { readonly self: infer Self extends Schema } } } }
  ? Self extends ImpliedSelf
    ? $ZodString<string>
    : Self
  : $ZodString<string>;

/**
 * A nested resource that the server returns as `{ id, self }` until it is expanded (§2.1, §4.4), made by
 * {@link expandable}.
 */
export interface Expandable<R extends Resource = Resource>
  extends $ZodObject<ReferenceShape<R>, $strip>,
    ExpansionTarget<R> {}

/** The fields of a reference to a resource: its `id`, and a `self` if it has one. */
type ReferenceShape<R> = R extends { _zod: { def: { shape: { readonly self: unknown } } } }
  ? { readonly id: IdSchemaOf<R>; readonly self: SelfOf<R> }
  : { readonly id: IdSchemaOf<R> };

/**
 * Declares a nested resource that `expand` may name. In other results its value is `{ id, self }` (§2.1).
 *
 * @throws {@link InvalidRequestError} for anything that {@link resource} did not return
 * @example
 * ```ts
 * const Order = resource({ status: z.string(), company: expandable(Company) });
 * ```
 */
export const expandable = <R extends AnyResource>(target: R): Expandable<R> => {
  checkTarget(target);
  const stub = openObject(() => {
    const id = fieldOf(target, 'id') ?? number();
    const self = fieldOf(target, 'self');
    if (self === undefined) return { id };
    return { id, self: isImpliedSelf(self) ? string() : self };
  });
  return Object.assign(stub, { target }) as unknown as Expandable<R>;
};

/** Stands for a nested resource by its id alone, until it is expanded (`unexpanded: 'id'`). */
export type ExpandableId<R extends Resource = Resource> = IdSchemaOf<R> & ExpansionTarget<R>;

interface AbsentInternals extends $ZodUndefinedInternals {
  readonly optin: 'optional';
  readonly optout: 'optional';
}

/**
 * Stands for a nested resource that a server leaves out until it is expanded (`unexpanded: 'absent'`). In a
 * resource, also for a field that wraps such a one, as an array does.
 */
export interface ExpandableAbsent<R = Schema>
  extends $ZodType<undefined, undefined, AbsentInternals>,
    ExpansionTarget<R>,
    AbsentTarget {}

/** True for a field whose resource the server leaves out until it is expanded. */
export const isAbsent = (schema: Schema): boolean => Object.hasOwn(coreOf(schema), 'isAbsent');

const checkTarget = (target: unknown): void => {
  if (!isResource(target)) throw new InvalidRequestError('expandable() takes what resource() returned');
};

/** {@link expandable} for a family whose servers send the id of a resource that is not expanded. */
export const expandableById = <R extends AnyResource>(target: R): ExpandableId<R> => {
  checkTarget(target);
  const stub = clone(fieldOf(target, 'id') ?? number());
  return Object.assign(stub, { target }) as unknown as ExpandableId<R>;
};

/** {@link expandable} for a family whose servers leave out a resource that is not expanded. */
export const expandableOrAbsent = <R extends AnyResource>(target: R): ExpandableAbsent<R> => {
  checkTarget(target);
  const stub = new $ZodUndefined({ type: 'undefined' });
  return Object.assign(stub, { target, isAbsent: true }) as unknown as ExpandableAbsent<R>;
};

/** True for `id` and `self`, which every resource has (§2.1). */
export const isIdentityField = (name: string): boolean => identityFields.some((own) => own === name);

/** True for the fields of a resource, and of a reference to one (§2.1). */
export const hasIdentity = (shape: Shape = {}): boolean =>
  identityFields.every((name) => Object.hasOwn(shape, name));

/**
 * True for a schema whose values keep their identity whatever `fields` says: of a resource, and of a
 * reference to one.
 */
export const isIdentified = (schema: Schema): boolean =>
  isResource(targetOf(schema) ?? coreOf(schema)) || hasIdentity(fieldsOf(schema));
