import type { Collection } from '../../schema/collection.ts';
import type { ExpandPathOf, FieldsPathOf, SortPathOf } from '../../schema/types/declared.ts';
import type { HasPath } from '../../schema/types/field-path.ts';
import type { Mistake } from '../../schema/types/shape.ts';

/** The parts of a query that are lists of names. */
export type NameKey = 'sort' | 'fields' | 'expand';

/** Whether a collection declares a part of the query. It reads the options, because the names cost more to compute. */
export type Supports<C extends Collection, K extends NameKey> = C['options'] extends {
  readonly [P in K]: infer Declared;
}
  ? [Exclude<Declared, readonly [] | undefined>] extends [never]
    ? false
    : true
  : false;

/**
 * The names that `sort` of {@link Operations.list} takes: each path, and with a `-` for descending. `infer` makes the
 * compiler show them.
 */
export type SortName<C extends Collection> =
  SortPathOf<C> extends infer Path extends string ? Path | `-${Path}` : never;

/** The names that a part of the query takes. */
export type NameOf<C extends Collection, K extends NameKey> = K extends 'sort'
  ? SortName<C>
  : K extends 'fields'
    ? FieldsPathOf<C>
    : ExpandPathOf<C>;

/**
 * Whether a collection takes the names of a list; `boolean` where it takes only some of them. Each name is looked up. A
 * comparison with all names of a large resource costs a hundred times as much, and is made only to explain a wrong name.
 */
export type TakesNames<C extends Collection, K extends NameKey, N> = N extends readonly (infer Name)[]
  ? C['options'] extends { readonly [P in K]: infer Declared }
    ? Takes<C['resource']['_zod']['def']['shape'], Declared, K extends 'sort' ? Ascending<Name> : Name>
    : false
  : N extends undefined
    ? true
    : false;

type Ascending<Name> = Name extends `-${infer Path}` ? Path : Name;

type Takes<Sh, Declared, Name> = Name extends string
  ? string extends Name
    ? // Checked at run time.
      true
    : Declared extends true
      ? HasPath<Sh, Name>
      : Declared extends readonly (infer Each)[]
        ? Name extends Each
          ? true
          : false
        : false
  : false;

/** What is wrong with a name. */
interface NameProblems<Owner extends string> {
  readonly sort: `${Owner} cannot be sorted by`;
  readonly fields: `${Owner} has no field`;
  readonly expand: `${Owner} cannot expand`;
}

/** The given names; in place of a wrong one, what is wrong with it. */
export type CheckedNames<
  N extends readonly unknown[],
  K extends NameKey,
  Name extends string,
  Owner extends string,
> =
  IsIn<N, readonly Name[]> extends true
    ? N
    : { readonly [I in keyof N]: CheckedName<N[I], Name, NameProblems<Owner>[K]> };

type CheckedName<Given, Name extends string, Problem extends string> =
  IsIn<Given, Name> extends true
    ? Given
    : Given extends string
      ? // Names that are known only at run time are checked then.
        string extends Given
        ? Given
        : WrongName<Given, Extract<Name, `${Given}${string}`>, Problem>
      : Name;

// A type of its own: inlined, the compiler would intersect `T` with `All`, which is too many types for 300 names.
type IsIn<T, All> = T extends All ? true : false;

/** The names that begin with the given characters, for an editor's completion; if none does, what is wrong. */
type WrongName<Given extends string, Begun extends string, Problem extends string> = [Begun] extends [never]
  ? Mistake<`${Problem} "${Given}"`>
  : Begun;

/**
 * In place of arguments that the compiler cannot infer, as in a call on a union of collections; see
 * {@link Operations.list}.
 */
export type NotInferred = readonly never[];

/**
 * One of the names of each collection, so that the intersection for several collections is not empty if they have no name in
 * common. It is a pattern, because an editor does not offer those.
 */
export type CommonName =
  `a name that all of these collections have; otherwise call one of them alone: ${string}`;

/**
 * The names that an editor offers for a step of {@link QuerySteps} without arguments. A compiler that checks a list of names
 * does not read this property, because computing the names costs more than the rest of the query.
 */
export interface EveryName<C extends Collection, K extends NameKey> extends NotInferred {
  /** All names that the step takes. */
  readonly names: readonly (NameOf<C, K> | CommonName)[];
}

/** What a step of the builder takes when it is given `N`. */
type StepCheck<C extends Collection, K extends NameKey, N> = N extends { readonly names: unknown }
  ? N & EveryName<C, K>
  : N extends readonly unknown[]
    ? false extends TakesNames<C, K, N>
      ? { readonly names: CheckedNames<N, K, NameOf<C, K>, C['path']> }
      : { readonly names: readonly string[] }
    : never;

/** The names that a step of {@link QuerySteps} takes; `N & undefined` has no value, and `N` is inferred from it. */
export type StepNames<C extends Collection, K extends NameKey, N extends readonly string[]> =
  | (N & undefined)
  | StepCheck<C, K, N>['names'];
