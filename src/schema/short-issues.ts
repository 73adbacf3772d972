// zod does not limit the issues of a value. This file adds a limit.

import type { ParseContextInternal, ParsePayload, util } from 'zod/v4/core';
import type { Schema } from './types/shape.ts';
import { definitionOf, kindOf, mapParts, oncePer, type PartName } from './zod.ts';

// More than any error shows.
const mostIssues = 100;

// The limit with the issues inside unions: each list in a union multiplies them by up to a hundred.
const mostInUnions = 10_000;

/** A list, a record or an object whose members are being checked. */
interface Whole {
  readonly payload: ParsePayload;
  /** Number of issues of its members, including those inside unions. */
  count: number;
  /** Number of asynchronous checks that have begun. */
  begun: number;
  /** Resolves when the latest of them has ended, and all before it. */
  last?: Promise<ParsePayload>;
  /** Resolves when every full hundred of them has ended; later checks wait for it. */
  earlier?: Promise<ParsePayload>;
}

/** The context that zod passes down to the schemas of members, with their whole. */
interface Place extends ParseContextInternal {
  readonly whole: Whole;
}

/** A copy of a schema with another `run`. */
const withRun = (
  schema: Schema,
  run: (payload: ParsePayload, place: Place) => util.MaybeAsync<ParsePayload>,
): Schema =>
  // `Object.create` has no type of its own.
  Object.create(schema, { _zod: { value: Object.create(schema._zod, { run: { value: run } }) } }) as Schema;

/** Number of issues, including those inside unions. */
const countOf = (issues: readonly unknown[]): number => {
  let count = issues.length;
  for (const issue of issues as readonly { readonly errors?: readonly (readonly unknown[])[] }[]) {
    for (const errors of issue.errors ?? []) count += countOf(errors);
  }
  return count;
};

/** Resolves with the asynchronous check of a member, after the checks before it: the issues stay in order. */
const afterEarlier = (whole: Whole, result: Promise<ParsePayload>): Promise<ParsePayload> => {
  const last = Promise.all([result, whole.last]).then(([own]) => {
    whole.count += countOf(own.issues);
    return own;
  });
  whole.begun++;
  whole.last = last;
  if (whole.begun % mostIssues === 0) whole.earlier = last;
  return last;
};

/** The schema of a member, unchecked once there are enough issues. Asynchronous checks run a hundred at a time. */
const asMember = (schema: Schema): Schema => {
  const check = (payload: ParsePayload, place: Place): util.MaybeAsync<ParsePayload> => {
    const { whole } = place;
    if (whole.payload.issues.length < mostIssues && whole.count < mostInUnions) {
      return schema._zod.run(payload, place);
    }
    // Skips the checks of the whole, which must not get members that are not decoded.
    whole.payload.aborted = true;
    return payload;
  };
  return withRun(schema, (payload, place) => {
    const { whole } = place;
    const result = whole.earlier?.then(() => check(payload, place)) ?? check(payload, place);
    if (result instanceof Promise) return afterEarlier(whole, result);
    whole.count += countOf(result.issues);
    return result;
  });
};

/** The schema of a whole, which counts the issues of its members. */
const asWhole = (schema: Schema): Schema =>
  withRun(schema, (payload, place) => {
    const below: Place = { ...place, whole: { payload, count: 0, begun: 0 } };
    return schema._zod.run(payload, below);
  });

const members: ReadonlySet<PartName | undefined> = new Set(['element', 'valueType', 'rest', 'catchall']);

const isUnchecked = (schema: Schema): boolean =>
  kindOf(schema) === 'unknown' && definitionOf(schema).checks === undefined;

const notMerged: ReadonlySet<string> = new Set(['array', 'tuple', 'object']);

/** A side of an intersection. Its records are checked to the end: a key that one side refuses may be valid on the other. */
const asSide = (schema: Schema): Schema =>
  notMerged.has(kindOf(schema)) ? withShortIssues(schema) : mapParts(schema, asSide);

/**
 * A copy of a schema that stops checking a list, a record, the rest of a tuple or unknown fields at about a hundred issues.
 * zod keeps an issue for each wrong field of each item, so two megabytes of `{}` would fill gigabytes. The values and the first
 * issues are the same as those of the schema.
 */
export const withShortIssues: (schema: Schema) => Schema = oncePer((schema) => {
  if (kindOf(schema) === 'intersection') return asSide(schema);
  let isWhole = false;
  const copy = mapParts(schema, (part, name) => {
    const short = withShortIssues(part);
    if (!members.has(name) || isUnchecked(part)) return short;
    isWhole = true;
    return asMember(short);
  });
  return isWhole ? asWhole(copy) : copy;
});
