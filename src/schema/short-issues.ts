// zod has no bound for the issues of a value. This file gives it one.

import type { ParseContextInternal, ParsePayload, util } from 'zod/v4/core';
import type { Schema } from './types/shape.ts';
import { definitionOf, kindOf, mapParts, oncePerSchema, type PartName } from './zod.ts';

// More than anybody shows.
const mostIssues = 100;

// Those of the options of unions count, too: a union in a union in a list has a hundred times as many with each step.
const mostInUnions = 10_000;

/** A list, a record or an object whose members are being checked. */
interface Whole {
  readonly payload: ParsePayload;
  /** Issues of its members, with those in unions. */
  count: number;
  /** How many asynchronous checks have begun. */
  begun: number;
  /** The end of the latest of them, and so of all before it. */
  last?: Promise<ParsePayload>;
  /** The end of the hundreds before. */
  earlier?: Promise<ParsePayload>;
}

/** What zod hands down to the schemas below: to those of members, with their whole. */
interface Place extends ParseContextInternal {
  readonly whole: Whole;
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

/** The end of the asynchronous check of a member, after those before it: the issues stay in order. */
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

/** The schema of a member: passes it unchecked once there are enough issues. Asynchronous checks run a hundred at a time. */
const asMember = (schema: Schema): Schema => {
  const check = (payload: ParsePayload, place: Place): util.MaybeAsync<ParsePayload> => {
    const { whole } = place;
    if (whole.payload.issues.length < mostIssues && whole.count < mostInUnions) {
      return schema._zod.run(payload, place);
    }
    // A check of the whole must not get members that are not decoded.
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

/** Ends the check of its members. */
const asWhole = (schema: Schema): Schema =>
  withRun(schema, (payload, place) => {
    const below: Place = { ...place, whole: { payload, count: 0, begun: 0 } };
    return schema._zod.run(payload, below);
  });

const members: ReadonlySet<PartName | undefined> = new Set(['element', 'valueType', 'rest', 'catchall']);

const isUnchecked = (schema: Schema): boolean =>
  kindOf(schema) === 'unknown' && definitionOf(schema).checks === undefined;

const notMerged: ReadonlySet<string> = new Set(['array', 'tuple', 'object']);

/** A side of an intersection: its records are checked to their end. A key that one side refuses may be taken by the other. */
const asSide = (schema: Schema): Schema =>
  notMerged.has(kindOf(schema)) ? withShortIssues(schema) : mapParts(schema, asSide);

/**
 * A copy of a schema in which the check of each list, record, rest of a tuple and of other fields ends at about a hundred
 * issues. zod keeps one for each wrong field of each item, and two megabytes of `{}` fill gigabytes. Its values and its first
 * issues are those of the schema.
 */
export const withShortIssues: (schema: Schema) => Schema = oncePerSchema((schema) => {
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
