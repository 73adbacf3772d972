// What a family changes in types. `family(given)` types its builders by `F`, the type of what it is given:
//
//   resource<const Sh extends Fields>(shape: Sh): ResourceIn<F, Sh>;
//   expandable<R extends AnyResource>(target: R): ExpandableIn<F, R>;
//   readonly collection: CollectionBuilder<F>;
//
// Results and bodies follow from what these return, and from nothing else of `F`. At run time
// - a resource with `identity: ['id']` has no `self` in its shape; `id` and `self`, where a shape has them,
//   are in every result;
// - what stands for a resource that is left out has `isAbsent`; its field is in a result only where it is
//   expanded, and in no body;
// - a collection has `written`; with 'resource', `replace` and `update` resolve with the resource, checked as
//   that of `create`.
//
// What is given is checked by `CheckedFamily`: an unknown part, at any depth, does not compile.
//
// Where `F` leaves a part open, as the type of a variable does, results promise what all values of that part
// give.

import type { conventions, Family } from '../../families/family.ts';
import type { CheckedOptions, Collection, CollectionOptions } from '../collection.ts';
import type {
  AnyResource,
  Expandable,
  ExpandableAbsent,
  ExpandableId,
  Fields,
  Identity,
  Resource,
  WithIdentity,
} from '../resource.ts';
import type { NamesOf, UnknownName } from './shape.ts';

/** The names of an object, of each of a union. */
type NamesIn<T> = T extends object ? NamesOf<T> : never;

type PartOf<T, K> = T extends object ? (K extends keyof T ? T[K] : never) : never;

/** What a family is given, or what is wrong with it. */
export type CheckedFamily<T, Known = Family> = T extends readonly unknown[]
  ? T
  : T extends { readonly header: unknown; readonly body: unknown }
    ? 'a place is a header, or a path in the body, and not both'
    : {
        readonly [K in keyof T]: K extends NamesIn<Known>
          ? CheckedPart<T[K], PartOf<Known, K>>
          : UnknownName<K, NamesIn<Known>>;
      };

/**
 * One part, or what is wrong with it. A part that has none of its own is returned as it is, so that its type
 * may be a type parameter of the caller's, as in `<const Items extends string>(items: Items) => family(...)`.
 */
type CheckedPart<T, Known> = [NamesIn<Known>] extends [never]
  ? T
  : string extends Known
    ? string | CheckedFamily<T, Known>
    : CheckedFamily<T, Known>;

/** A part of a family; that of the conventions where it is left out. */
type PartIn<F extends Family, K extends keyof Family> = K extends keyof F ? F[K] : (typeof conventions)[K];

/** A resource with the fields that a family adds to it. */
export type ResourceIn<F extends Family, Sh extends Fields> = Resource<
  WithIdentity<PartIn<F, 'unexpanded'> extends 'reference' | 'id' ? Sh : WithAbsent<Sh>, IdentityIn<F>>
>;

type IdentityIn<F extends Family> =
  PartIn<F, 'identity'> extends readonly ['id', 'self'] ? Identity : Pick<Identity, 'id'>;

/**
 * A schema that holds no resource that is left out. One comparison for all fields, at any depth, costs the
 * compiler least.
 */
interface HoldsNone {
  readonly _zod: {
    readonly def: { readonly type: string; readonly innerType?: Inner; readonly element?: Inner };
  };
}

type Inner = HoldsNone & { readonly isAbsent?: never };

/**
 * A wrapper of a resource that is left out, such as an array, is left out with it. Few resources have one.
 */
type WithAbsent<Sh extends Fields> =
  Sh extends Readonly<Record<string, HoldsNone>>
    ? Sh
    : { readonly [K in keyof Sh]: Sh[K] extends HoldsNone ? Sh[K] : ExpandableAbsent<Sh[K]> };

/** What stands for a nested resource in a family. */
export type ExpandableIn<F extends Family, R extends AnyResource> =
  PartIn<F, 'unexpanded'> extends 'reference'
    ? Expandable<R>
    : PartIn<F, 'unexpanded'> extends 'id'
      ? ExpandableId<R>
      : ExpandableAbsent<R>;

/** What PUT and PATCH respond with in a family. */
export type WriteResponse = 'nothing' | 'resource';

/** The parts of a query that the option `paging` declares. */
export type PagingKey = 'page' | 'perPage';

/**
 * A collection of a family, with what its family says of it. One of the conventions takes all parts of
 * paging, and its writes respond with nothing.
 */
export interface FamilyCollection<
  Path extends string = string,
  R extends Resource = Resource,
  O extends CollectionOptions = CollectionOptions,
  W extends WriteResponse = WriteResponse,
  P extends PagingKey = PagingKey,
> extends Collection<Path, R, O> {
  /** What PUT and PATCH respond with. */
  readonly written: W;
  /** The parts of paging that the family has a name for. */
  readonly pagedBy: readonly P[];
}

/** The names `K` that a family has for parts of a query. */
type NamedIn<F extends Family, K> = Extract<K, keyof Exclude<PartIn<F, 'query'>, undefined>>;

/** The options of {@link collection} that a family has no name for. */
export type MissingOption<F extends Family> = Exclude<
  'sort' | 'fields' | 'expand',
  NamedIn<F, 'sort' | 'fields' | 'expand'>
>;

/**
 * The `collection` of a family: as {@link collection}, without the options that the family has no name for.
 * `Missing` are those, `W` is what PUT and PATCH respond with, and `P` are the parts of paging.
 */
export type CollectionBuilder<
  F extends Family,
  Missing = MissingOption<F>,
  W extends WriteResponse = WriteResponse & PartIn<F, 'written'>,
  P extends PagingKey = NamedIn<F, PagingKey>,
> = <
  const Path extends string,
  R extends AnyResource,
  const O extends CollectionOptions = Record<never, never>,
>(
  path: Path,
  resource: R,
  options?: (O & undefined) | CheckedOptions<O, R, Missing>,
) => FamilyCollection<Path, R, O, W, P>;
