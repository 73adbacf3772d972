import type { Schema } from '../schema/types/shape.ts';
import { coreOf, definitionOf, elementOf, innerOf, targetOf, valuesOf } from '../schema/zod.ts';
import { sampleOf } from './checks/resources.ts';
import { compareData, type DataFinding, isTimestamp } from './data.ts';
import type { Proposal } from './finding.ts';
import { unlessJudged } from './judgement.ts';
import type { Subject } from './subject.ts';

const named: Readonly<Record<string, string>> = { int: 'z.int()', unknown: 'z.unknown()' };

const listValues = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

/** A schema as a declaration writes it, shortened to one line. `part` is written as `instead`. */
const formatSchema = (schema: Schema, part?: Schema, instead = ''): string => {
  if (schema === part) return instead;
  const { type: kind, in: input } = definitionOf(schema);
  const element = elementOf(schema);
  if (element !== undefined) return `z.array(${formatSchema(element, part, instead)})`;
  const inner = innerOf(schema);
  if (inner !== undefined) return `z.${kind}(${formatSchema(inner, part, instead)})`;
  if (kind === 'pipe' && input !== undefined) return formatSchema(input, part, instead);
  if (targetOf(schema) !== undefined) return 'expandable(…)';
  if (kind === 'enum') return `z.enum([${listValues(valuesOf(schema))}])`;
  if (kind === 'literal') return `z.literal(${listValues(valuesOf(schema))})`;
  if (kind === 'object') return 'z.object({ … })';
  if (isTimestamp(schema)) return 'z.iso.datetime()';
  return named[kind] ?? `z.${kind}()`;
};

const wireTypes: Readonly<Record<string, string>> = {
  integer: 'z.int()',
  number: 'z.number()',
  string: 'z.string()',
  boolean: 'z.boolean()',
  array: 'z.array(z.unknown())',
  object: 'z.looseObject({})',
  null: 'z.null()',
};

const ofTypes = (types: readonly string[]): string => {
  const written = types.map((type) => wireTypes[type] ?? 'z.unknown()').join(', ');
  return types.length === 1 ? written : `z.union([${written}])`;
};

/** The declaration of the field that would fit the data. */
const proposed = ({ kind, schema, field, seen }: DataFinding): string => {
  if (kind === 'unknown') return `z.optional(${ofTypes(seen)})`;
  const changed = {
    missing: `z.optional(${formatSchema(schema)})`,
    null: `z.nullable(${formatSchema(schema)})`,
    value: `z.enum([${listValues([...valuesOf(coreOf(schema)), ...seen])}])`,
    type: ofTypes(seen),
  } as const;
  return formatSchema(field, schema, changed[kind]);
};

const reasonOf = ({ kind, count, of, example }: DataFinding): string => {
  const what = {
    missing: 'missing',
    null: 'null',
    type: 'of another type',
    value: 'another value',
    unknown: 'present, but not declared,',
  } as const;
  return `${what[kind]} in ${count} of ${of} records, for example ${example}`;
};

/** The changes that would make the declaration of a collection fit the data. */
export const proposalsFor = async (subject: Subject): Promise<readonly Proposal[]> => {
  // If the list cannot be read, the findings of its rules say so.
  const records = await unlessJudged(async () => (await sampleOf(subject)).records, []);
  return compareData(subject.resource, records).map((difference) => ({
    collection: subject.key,
    path: difference.path,
    before: difference.kind === 'unknown' ? undefined : formatSchema(difference.field),
    after: proposed(difference),
    reason: reasonOf(difference),
  }));
};
