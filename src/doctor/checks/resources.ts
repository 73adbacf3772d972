import { isObject } from '../../options.ts';
import { hasIdentity, isIdentityField } from '../../schema/resource.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { definitionOf, fieldOf, targetOf } from '../../schema/zod.ts';
import { compareData, type DataFinding, fits, isTimestamp, type Place, placesOf } from '../data.ts';
import type { Exchange, Json } from '../exchange.ts';
import { type Checks, cannotTell, demand, demandStatus, notDeclared, some } from '../judgement.ts';
import {
  isSameResource,
  itemUrl,
  type Listed,
  linkTarget,
  list,
  needsVersion,
  type Subject,
} from '../subject.ts';

/** The records that are compared with the declaration: the first ones of the list, from several pages if necessary. */
export const sampleOf = async (subject: Subject): Promise<Listed> => {
  const first = await list(subject);
  const records: Json[] = [...some(first.records, 'the collection is empty')];
  for (let page = 2; subject.options.paging !== undefined && records.length < subject.sample; page++) {
    const { records: more } = await list(subject, { page });
    if (more.length === 0 || more[0]?.id === records[0]?.id) break;
    records.push(...more);
    if (more.length < first.records.length) break;
  }
  return { ...first, records: records.slice(0, subject.sample) };
};

/** Demands something of every described place of the sample. */
const demandOfPlaces = async (
  subject: Subject,
  expected: string,
  findProblem: (place: Place) => string | undefined,
): Promise<void> => {
  const { exchange, records } = await sampleOf(subject);
  for (const place of placesOf(subject.resource, records)) {
    const problem = findProblem(place);
    demand(problem === undefined, exchange, expected, `${place.example}: ${problem}`);
  }
};

const isAbsolute = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/[^/]/.test(value);

const hasId = (schema: Schema, { id }: Json): boolean => {
  const declared = fieldOf(schema, 'id');
  return id !== undefined && (declared === undefined || fits(declared, id));
};

const checkSelf = async (subject: Subject, record: Json, exchange: Exchange): Promise<void> => {
  const url = linkTarget(subject, exchange, 'a `self`', record.self);
  needsVersion(subject, url);
  const found = await subject.get(url.href);
  const isSame = isSameResource(found, record);
  if ((found.status !== 200 || !isSame) && url.href === itemUrl(subject, record)) cannotTell('see §4.2 GET');
  if (found.status === 403) cannotTell('`self` got 403, this user may not do it');
  demandStatus(found, [200], 'for the `self` of a resource');
  demand(isSame, found, 'the resource with the same id', 'another body');
};

/** The problem of a nested resource: a reference has `id` and `self` alone until it is expanded (§2.1). */
const problemOfReference = (subject: Subject, { schema, value, path }: Place): string | undefined => {
  if (!hasIdentity(definitionOf(schema).shape) || path === '' || !isObject(value)) return undefined;
  if (!hasId(schema, value)) return 'its `id` is missing or of another type';
  if (value.self !== undefined && !isAbsolute(value.self)) return 'its `self` is not an absolute URI';
  const target = targetOf(schema);
  if (target === undefined) return undefined;
  if (value.self === undefined && subject.isFetchable(target)) return 'its `self` is missing';
  const more = Object.keys(value).filter((name) => !isIdentityField(name));
  const isExpanded = subject.options.expand?.includes(path) === true && more.length > 0;
  return isExpanded ? `it has ${more.slice(0, 5).join(', ')} before it is expanded` : undefined;
};

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]00:00)$/;

const linkNames: ReadonlySet<string> = new Set(['_links', 'links', '_embedded', 'href']);

/** The names in an object, including those that are not declared. */
const namesAt = ({ value }: Place): readonly string[] => (isObject(value) ? Object.keys(value) : []);

const describeDifference = ({ kind, path, count, of, example, seen }: DataFinding): string => {
  const what = {
    missing: 'is missing',
    null: 'is null',
    type: `has the type ${seen.join(' or ')}`,
    value: `has the values ${seen.map((value) => JSON.stringify(value)).join(', ')}, which are not declared`,
    unknown: 'is not declared',
  } as const;
  return `\`${path}\` ${what[kind]} in ${count} of ${of} records (${example})`;
};

/** The rules of resources and their fields (§2.1). */
export const resourceChecks = {
  '§2.1 id': async (subject) => {
    const { exchange, records } = await sampleOf(subject);
    const expected = 'an `id` of the declared type on every resource';
    for (const [index, record] of records.entries()) {
      const found = record.id === undefined ? 'it is missing' : `its type is ${typeof record.id}`;
      demand(hasId(subject.resource, record), exchange, expected, `${index}: ${found}`);
    }
  },
  '§2.1 self': async (subject) => {
    const { exchange, records } = await sampleOf(subject);
    const isFetchable = subject.operations.includes('get');
    for (const [index, { self }] of records.entries()) {
      if (self === undefined && !isFetchable) continue;
      demand(
        self !== undefined,
        exchange,
        'a `self` on a resource that can be fetched',
        `${index}: it is missing`,
      );
      demand(isAbsolute(self), exchange, 'a `self` that is an absolute URI', `${index}: another value`);
    }
    const first = records.find(({ self }) => self !== undefined);
    if (first !== undefined) await checkSelf(subject, first, exchange);
  },
  '§2.1 nested resource': (subject) =>
    demandOfPlaces(
      subject,
      'a nested resource with its own `id` and `self`, and nothing else until it is expanded',
      (place) => problemOfReference(subject, place),
    ),
  '§2.1 field names': (subject) =>
    demandOfPlaces(subject, 'field names in camelCase', (place) =>
      namesAt(place).find((name) => !/^[a-z][A-Za-z0-9]*$/.test(name) && !linkNames.has(name)),
    ),
  '§2.1 timestamps': (subject) =>
    demandOfPlaces(subject, 'timestamps as ISO 8601 strings in UTC', ({ schema, value }) => {
      if (!isTimestamp(schema) || typeof value !== 'string') return undefined;
      return utc.test(value) && !Number.isNaN(Date.parse(value)) ? undefined : 'another string';
    }),
  '§2.1 links': (subject) =>
    demandOfPlaces(subject, 'no links but `self` in a representation', (place) =>
      namesAt(place).find((name) => linkNames.has(name) && fieldOf(place.schema, name) === undefined),
    ),
  '§2.1 specific fields': async (subject) => {
    const { exchange, records } = await sampleOf(subject);
    const differences = compareData(subject.resource, records);
    const wrong = differences.filter(({ kind }) => kind !== 'unknown');
    const found = wrong.map(describeDifference).join('; ');
    demand(wrong.length === 0, exchange, 'data that fits the declaration', found);
    const unknown = differences.filter(({ path }) => !linkNames.has(path));
    if (unknown.length > 0) notDeclared(unknown.map(describeDifference).join('; '));
  },
} as const satisfies Checks<Subject>;
