// zod has no bound for the issues of a value. This file gives it one.

import type { ParseContextInternal, ParsePayload, util } from 'zod/v4/core';
import type { Schema } from './types/shape.ts';
import {
  definitionOf,
  innerOf,
  isContainer,
  kindOf,
  mapContainer,
  mapFields,
  oncePerSchema,
  withInner,
  withParts,
} from './zod.ts';

// More than anybody shows.
const mostIssues = 100;

// Those of the options of unions count, too: a union in a union in a list has a hundred times as many with each step.
const mostInUnions = 10_000;

/** A list, a record or an object whose members are being checked. */
interface Whole {
  readonly payload: ParsePayload;
  /** Issues of its members, with those in unions. */
  count: number;
  /** The asynchronous checks that have begun, since the last hundred of them. */
  pending: Promise<unknown>[] | undefined;
  last?: Promise<ParsePayload>;
  /** The end of those before. */
  earlier?: Promise<unknown>;
}

/** What zod hands down to the schemas below. */
interface Place extends ParseContextInternal {
  readonly whole?: Whole | undefined;
  /** True for the sides of an intersection: a key that one of them refuses is no issue if the other one takes it. */
  readonly merges?: boolean;
}

/** A schema that is checked in another way, and has all else of the given one. */
const withRun = (
  schema: Schema,
  run: (payload: ParsePayload, place: Place) => util.MaybeAsync<ParsePayload>,
): Schema =>
  // `Object.create` has no type of its own.
  Object.create(schema, { _zod: { value: Object.create(schema._zod, { run: { value: run } }) } }) as Schema;

/** How many issues there are, with those in unions. */
const countOf = (issues: readonly unknown[]): number => {
  let count = issues.length;
  for (const issue of issues as readonly { readonly errors?: readonly (readonly unknown[])[] }[]) {
    for (const errors of issue.errors ?? []) count += countOf(errors);
  }
  return count;
};

/** The schema of a member: passes it unchecked once there are enough issues. Asynchronous checks run a hundred at a time. */
const asMember = (schema: Schema, isKey = false): Schema =>
  withRun(schema, (payload, place) => {
    const among = place.whole;
    if (among === undefined) return schema._zod.run(payload, place);
    const add = (result: ParsePayload): ParsePayload => {
      // A refused key may be taken as a number, or as it is.
      if (!isKey) among.count += countOf(result.issues);
      return result;
    };
    const check = (): util.MaybeAsync<ParsePayload> => {
      if (among.payload.issues.length < mostIssues && among.count < mostInUnions) {
        const result = schema._zod.run(payload, place);
        return result instanceof Promise ? result.then(add) : add(result);
      }
      // A check of the whole must not get members that are not decoded.
      among.payload.aborted = true;
      return payload;
    };
    const result = among.earlier?.then(check) ?? check();
    if (!(result instanceof Promise)) return result;
    // In the order of the members, whichever is ready first.
    among.last = Promise.all([result, among.last]).then(([own]) => own);
    among.pending ??= [];
    if (among.pending.push(among.last) === mostIssues) {
      among.earlier = Promise.allSettled(among.pending);
      among.pending = [];
    }
    return among.last;
  });

/** Counts the issues of the members of a schema. */
const countIssues = (schema: Schema): Schema => {
  const isRecord = kindOf(schema) === 'record';
  return withRun(schema, (payload, place) =>
    schema._zod.run(payload, {
      ...place,
      whole: isRecord && place.merges === true ? undefined : { payload, count: 0, pending: undefined },
      merges: false,
    } as Place),
  );
};

// Of other fields: each is taken, or all of them are one issue.
const single: ReadonlySet<string> = new Set(['unknown', 'any', 'never']);

const isUnchecked = (schema: Schema): boolean =>
  single.has(kindOf(schema)) && (definitionOf(schema).checks ?? []).length === 0;

/** A copy of a schema with parts, which ends their check. */
const withMembers = (schema: Schema): Schema => {
  const { element, keyType, valueType, rest } = definitionOf(schema);
  if ((element ?? valueType ?? rest) == null) return schema;
  return countIssues(
    withParts(schema, {
      ...(element && { element: asMember(element) }),
      ...(keyType && { keyType: asMember(keyType, true) }),
      ...(valueType && { valueType: asMember(valueType) }),
      ...(rest && { rest: asMember(rest) }),
    }),
  );
};

/**
 * A copy of a schema in which the check of each list, record, rest of a tuple and of other fields ends at about a hundred
 * issues. zod keeps one for each wrong field of each item, and two megabytes of `{}` fill gigabytes. Its values and its first
 * issues are those of the schema.
 */
export const withShortIssues: (schema: Schema) => Schema = oncePerSchema((schema) => {
  const inner = innerOf(schema);
  if (inner !== undefined) return withMembers(withInner(schema, withShortIssues(inner)));
  if (isContainer(schema)) {
    const mapped = mapContainer(schema, withShortIssues);
    if (kindOf(schema) !== 'intersection') return withMembers(mapped);
    return withRun(mapped, (payload, place) => mapped._zod.run(payload, { ...place, merges: true } as Place));
  }
  const { type, getter, catchall, in: from, out: to } = definitionOf(schema);
  if (type === 'object') {
    if (catchall === undefined || isUnchecked(catchall)) return mapFields(schema, withShortIssues, catchall);
    return countIssues(mapFields(schema, withShortIssues, asMember(withShortIssues(catchall))));
  }
  if (type === 'lazy' && getter !== undefined) {
    return withParts(schema, { getter: () => withShortIssues(getter()), _cachedInner: undefined });
  }
  if (from !== undefined && to !== undefined) {
    return withParts(schema, { in: withShortIssues(from), out: withShortIssues(to) });
  }
  return schema;
});
