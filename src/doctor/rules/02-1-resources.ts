import { isObject } from '../../options.ts';
import { hasIdentity, isIdentityField, isImpliedSelf } from '../../schema/resource.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { definitionOf, fieldOf, targetOf } from '../../schema/zod.ts';
import {
  differencesIn,
  fits,
  isOtherTime,
  namesIn,
  type Place,
  placesOf,
  undeclaredIn,
  unlistedIn,
} from '../data.ts';
import { type Exchange, isSameResource, type Json } from '../exchange.ts';
import {
  blockedBy,
  cannotTell,
  demand,
  demandStatus,
  described,
  notDeclared,
  type Weight,
} from '../judgement.ts';
import { by, judgedAs, reasons, rule } from '../rule.ts';
import { showName, showNames } from '../shown.ts';
import type { Subject } from '../subject.ts';

/** A response that does not match the declaration ends a call. */
const weightOf = ({ schema, value }: Pick<Place, 'schema' | 'value'>): Weight =>
  fits(schema, value) ? 'minor' : 'fatal';

const checkPlaces =
  (expected: string, findProblem: (place: Place, subject: Subject) => string | undefined) =>
  async (subject: Subject): Promise<void> => {
    const { exchange, records } = await subject.firstRecords();
    for (const place of placesOf(subject.resource, records)) {
      const problem = findProblem(place, subject);
      demand(problem === undefined, exchange, expected, `${place.example}: ${problem}`, weightOf(place));
    }
  };

const isAbsolute = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

/** Whether the declaration takes a `self`, or none: of one that it does not name, each string. */
const takesSelf = (schema: Schema, { self }: Json): boolean => {
  const declared = fieldOf(schema, 'self');
  if (declared === undefined || isImpliedSelf(declared)) return typeof self === 'string';
  return fits(declared, self);
};

/** True where the declaration says that there may be no `self`, and there is none. */
const lacksOptionalSelf = (schema: Schema, value: Json): boolean =>
  typeof value.self !== 'string' && takesSelf(schema, value);

const hasId = (schema: Schema, { id }: Json): boolean => {
  const declared = fieldOf(schema, 'id');
  return id !== undefined && (declared === undefined || fits(declared, id));
};

const checkSelf = async (subject: Subject, record: Json, exchange: Exchange): Promise<void> => {
  const url = subject.linkTarget(exchange, 'a `self`', record.self);
  const found = await subject.get(url.href);
  const isSame = isSameResource(found, record);
  if ((found.status !== 200 || !isSame) && url.href === subject.itemUrl(record)) blockedBy('§4.2 GET');
  if (found.status === 403) cannotTell('the `self` of a resource got 403: this user may not read it');
  demandStatus(found, [200], 'for the `self` of a resource');
  demand(isSame, found, 'the resource with the same id', 'another body');
};

const problemOfReference = ({ schema, value, path }: Place, subject: Subject): string | undefined => {
  if (!hasIdentity(definitionOf(schema).shape) || path === '' || !isObject(value)) return undefined;
  if (!hasId(schema, value)) return 'its `id` is missing or of another type';
  const mayLack = lacksOptionalSelf(schema, value);
  if (!mayLack && value.self !== undefined && !isAbsolute(value.self))
    return 'its `self` is not an absolute URI';
  const target = targetOf(schema);
  if (target === undefined) return undefined;
  if (!mayLack && value.self === undefined && subject.isFetchable(target)) return 'its `self` is missing';
  const more = Object.keys(value).filter((name) => !isIdentityField(name));
  const isExpanded = subject.options.expand?.includes(path) === true && more.length > 0;
  return isExpanded ? `it has ${showNames(more)} before it is expanded` : undefined;
};

const checkIds = checkPlaces('an `id` of the declared type on every resource', (place) => {
  const { schema, value, path } = place;
  if (path !== '' || !isObject(value) || hasId(schema, value)) return undefined;
  return value.id === undefined ? 'no `id`' : `an \`id\` of the type ${typeof value.id}`;
});

const checkNested = checkPlaces('a nested resource with its own `id` and `self` alone', problemOfReference);

// Undeclared names count too.
const checkNames = checkPlaces('field names in camelCase', (place) => {
  const other = namesIn(place).find((name) => !/^[a-z][A-Za-z0-9]*$/.test(name));
  return other && showName(other);
});

const checkTimestamps = checkPlaces('timestamps as ISO 8601 strings in UTC', ({ schema, value }) =>
  isOtherTime(schema, value) ? 'a string of another form' : undefined,
);

const describeDifference = ({ path, value, example }: Place): string => {
  if (value === undefined) return `no \`${path}\` (${example})`;
  const type = value === null ? 'null' : typeof value;
  return `\`${path}\` of the type ${type} that does not fit (${example})`;
};

const checkFields = async (subject: Subject): Promise<void> => {
  const { exchange, records } = await subject.firstRecords();
  const hasRuleOfTimes = subject.family === undefined;
  const wrong = differencesIn(subject.resource, records, hasRuleOfTimes).map(describeDifference).join('; ');
  demand(wrong === '', exchange, 'data that fits the declaration', wrong, 'fatal');
  const undeclared = undeclaredIn(subject.resource, records);
  const unlisted = Array.from(unlistedIn(subject.resource, records), ([path, count]) => `${path} (${count})`);
  const notes = [
    ...(undeclared.length > 0 ? [`not declared: ${undeclared.join(', ')}`] : []),
    ...(unlisted.length > 0
      ? [`records with values that their openEnum does not list: ${unlisted.toSorted().join(', ')}`]
      : []),
  ];
  if (notes.length > 0) notDeclared(notes.join('; '));
};

export const resources = [
  rule('§2.1 id', 'On every resource, also a nested one; always returned.', by.list(), checkIds),
  rule('§2.1 self', 'An absolute URI of what can be fetched alone.', by.list(), async (subject) => {
    const { exchange, records } = await subject.firstRecords();
    const { resource } = subject;
    const isImplied = isImpliedSelf(fieldOf(resource, 'self'));
    const isWrong = (record: Json): boolean => {
      if (lacksOptionalSelf(resource, record)) return false;
      return record.self === undefined && isImplied ? subject.has('get') : !isAbsolute(record.self);
    };
    const wrong = records.findIndex(isWrong);
    const record = records[wrong] ?? {};
    const found = `${described(record.self)} (${wrong}.self)`;
    const weight = takesSelf(resource, record) ? 'minor' : 'fatal';
    demand(wrong < 0, exchange, 'a `self` that is an absolute URI', found, weight);
    const first = records.find(({ self }) => typeof self === 'string');
    if (first !== undefined) return checkSelf(subject, first, exchange);
    if (subject.has('get')) notDeclared('`self` is optional in the declaration, and no resource has one');
  }),
  rule('§2.1 self of what exists', 'The mock has a self only for what it can serve.', judgedAs('§2.1 self')),
  rule('§2.1 nested resource', 'It has id and self alone until it is expanded.', by.list(), checkNested),
  rule('§2.1 field names', 'Field names are camelCase.', by.list(), checkNames),
  rule('§2.1 timestamps', 'Timestamps are ISO 8601 strings in UTC.', by.list(), checkTimestamps),
  rule('§2.1 arrays', 'Arrays of nested objects are allowed.', reasons.permitted),
  rule('§2.1 links', 'No links but self and the paging links.', judgedAs('§2.1 specific fields')),
  rule('§2.1 specific fields', 'Fields of resources.', { ...by.list(), ...reasons.notShown }, checkFields),
] as const;
