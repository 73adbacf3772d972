import { descendingPrefix, identityFields, listSeparator, pathSeparator } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { isIdentityField, isImpliedSelf } from '../../schema/resource.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { fieldOf, kindOf, targetOf } from '../../schema/zod.ts';
import { fits, isTimestamp, namedPlaces, type Place, valuesAt } from '../data.ts';
import type { Exchange, Json } from '../exchange.ts';
import { blockedBy, cannotTell, demand, notDeclared, some } from '../judgement.ts';
import { by, reasons, rule } from '../rule.ts';
import { showId, showNames } from '../shown.ts';
import type { Subject } from '../subject.ts';

interface Field {
  readonly path: string;
  readonly variety: number;
  /** False for a string: the conventions name no collation, so that each server may have its own order. */
  readonly isOrderable: boolean;
}

const isScalar = ({ value }: Place): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isOrderable = ({ schema }: Place): boolean => kindOf(schema) === 'number' || isTimestamp(schema);

const sortableFields = (subject: Subject, records: readonly Json[]): readonly Field[] => {
  const named = namedPlaces(subject.resource, records, subject.options.sort);
  const places = named.filter(({ value }) => (value ?? null) !== null);
  return [...new Set(places.map(({ path }) => path))].flatMap((path) => {
    const own = places.filter((place) => place.path === path);
    const variety = new Set(own.map(({ value }) => value)).size;
    return variety > 1 && own.every(isScalar) ? [{ path, variety, isOrderable: own.every(isOrderable) }] : [];
  });
};

type Key = Field & { readonly isDescending: boolean };

const toNumber = (value: unknown): number =>
  Number.isNaN(Number(value)) ? Date.parse(String(value)) : Number(value);

const mayPrecede = (one: Json, other: Json, keys: readonly Key[]): boolean => {
  for (const { path, isOrderable, isDescending } of keys) {
    const [[left], [right]] = [valuesAt(one, path), valuesAt(other, path)];
    if (left === right) continue;
    if (!isOrderable) return true;
    const difference = toNumber(left) - toNumber(right);
    // A timestamp that cannot be read breaks another rule (§2.1).
    if (Number.isNaN(difference)) return true;
    if (difference !== 0) return difference < 0 !== isDescending;
  }
  return true;
};

/**
 * Demands an order, which continues on the second page. The conventions do not say where nulls are, so these
 * are left out.
 */
const demandOrder = async (subject: Subject, keys: readonly Key[]): Promise<void> => {
  const names = keys.map(({ path, isDescending }) => `${isDescending ? descendingPrefix : ''}${path}`);
  const sort = names.join(listSeparator);
  // Of `sort: true`, the server may narrow the fields.
  const weight = subject.options.sort === true ? 'minor' : 'fatal';
  const { exchange, records: first } = await subject.listBy({ sort }, weight);
  const second = subject.isNumbered ? (await subject.list({ sort, page: 2 })).records : [];
  const more = second.filter(({ id }) => first.every((record) => record.id !== id));
  const ordered = [...first, ...more].filter((record) =>
    keys.every(({ path }) => valuesAt(record, path).some((value) => value !== null)),
  );
  const isOrdered = ordered.every((record, index) => mayPrecede(ordered[index - 1] ?? record, record, keys));
  const ids = ordered.slice(0, 8).map(({ id }) => showId(id));
  const expected = `the order of ${subject.showQuery({ sort })}`;
  demand(isOrdered, exchange, expected, `another order, of the ids ${ids.join(', ')}`);
};

/** False for a server of a family that sorts by one field alone. */
const sortsByMany = ({ family }: Subject): boolean =>
  typeof family?.sortAs !== 'object' || family.sortAs.many === true;

/** By up to three fields in both directions, by two fields, and by an unknown one. */
const checkSort = async (subject: Subject): Promise<void> => {
  const fields = sortableFields(subject, (await subject.firstRecords()).records);
  // `id` is the last one, because a server may order by it without `sort`.
  const orderable = fields
    .filter((field) => field.isOrderable)
    .toSorted((a, b) => Number(a.path === 'id') - Number(b.path === 'id'));
  const last = orderable.at(-1);
  if (last === undefined)
    return cannotTell('no number or timestamp that can be sorted on has several values on the first page');
  const mostTied = fields.reduce((a, b) => (b.variety < a.variety ? b : a));
  const ascending = { ...mostTied, isDescending: false };
  for (const isDescending of [false, true]) {
    for (const field of orderable.slice(0, 3)) await demandOrder(subject, [{ ...field, isDescending }]);
    if (mostTied.path !== last.path && sortsByMany(subject))
      await demandOrder(subject, [ascending, { ...last, isDescending }]);
  }
  await subject.demandRefused({ sort: 'restkinDoctorNone' }, 'a field that cannot be sorted on');
};

const leafOf = (subject: Subject, records: readonly Json[], isNested: boolean): string | undefined =>
  namedPlaces(subject.resource, records, subject.options.fields).find(
    ({ path, schema, value }) =>
      path.includes(pathSeparator) === isNested &&
      path !== 'id' &&
      targetOf(schema) === undefined &&
      value !== undefined &&
      !isObject(value),
  )?.path;

/** The identity that the declaration requires: a `self` may be optional there. */
const requiredIdentity = (resource: Schema): readonly string[] => {
  const self = fieldOf(resource, 'self');
  const isOptional = self !== undefined && !isImpliedSelf(self) && fits(self, undefined);
  return identityFields.filter((name) => name !== 'self' || !isOptional);
};

const demandFields = (
  { resource, family, showQuery }: Subject,
  exchange: Exchange,
  whole: Json,
  limited: Json,
  path: string,
): void => {
  const [head = '', tail] = path.split(pathSeparator);
  const kept = [...(family?.identity ?? identityFields), path];
  const expected = `${kept.join(', ')} with ${showQuery({ fields: path })}`;
  for (const name of [...requiredIdentity(resource), path]) {
    const isKept = valuesAt(whole, name).length === 0 || valuesAt(limited, name).length > 0;
    demand(isKept, exchange, expected, `no \`${name}\``, 'fatal');
  }
  const nested = tail === undefined ? [] : valuesAt(limited, head).flat().filter(isObject);
  const more = [
    ...Object.keys(limited).filter((name) => name !== head),
    ...nested.flatMap((object) => Object.keys(object)).filter((name) => name !== tail),
  ].filter((name) => !isIdentityField(name));
  demand(more.length === 0, exchange, expected, `also ${showNames(more)}`);
};

const objectsAt = (records: readonly unknown[], path: string): readonly Json[] =>
  valuesAt(records, path).flat().filter(isObject);

const someAreBare = (objects: readonly Json[]): boolean =>
  objects.some((object) => Object.keys(object).every(isIdentityField));

const demandExpanded = async (subject: Subject, names: readonly string[]): Promise<void> => {
  const expand = names.join(listSeparator);
  const { exchange, records } = await subject.listBy({ expand });
  for (const name of names) {
    const objects = some(objectsAt(records, name), `no record of the first page has \`${name}\``);
    const expected = `all fields of \`${name}\` with ${subject.showQuery({ expand })}`;
    demand(!someAreBare(objects), exchange, expected, 'id and self alone', 'fatal');
    const hasIds = objects.every(({ id }) => id !== undefined);
    demand(hasIds, exchange, `the \`id\` of \`${name}\``, 'none', 'fatal');
    const owner = records.find((record) => objectsAt([record], name).length > 0);
    if (names.length > 1 || owner === undefined || !subject.has('get')) continue;
    const item = await subject.get(subject.itemUrl(owner, { expand }));
    demand(!someAreBare(objectsAt([item.json], name)), item, expected, 'id and self alone', 'fatal');
  }
};

export const query = [
  rule('§4.4 undeclared', 'Parameters are for endpoints that declare support.', {
    unseen: 'the conventions do not say what a parameter without support gets',
  }),
  rule('§4.4 sort', 'Names in order, `-` for descending; else 400.', by.list('sort'), checkSort),
  rule('§4.4 sort of an unexpanded resource', '`company.name` sorts.', reasons.permitted),
  rule('§4.4 fields', 'Restricts the fields; id and self stay.', by.list('fields'), async (subject) => {
    const { records } = await subject.firstRecords();
    const leaves = [leafOf(subject, records, false), leafOf(subject, records, true)];
    const paths = leaves.filter((path) => path !== undefined);
    for (const path of some(paths, 'no record of the first page has a field that can be named')) {
      const limited = await subject.listBy({ fields: path });
      for (const record of limited.records) {
        const whole = records.find(({ id }) => id === record.id) ?? records[0];
        demandFields(subject, limited.exchange, whole, record, path);
      }
      if (!subject.has('get')) continue;
      const item = await subject.get(subject.itemUrl(records[0], { fields: path }));
      if (item.status === 200 && isObject(item.json))
        demandFields(subject, item, records[0], item.json, path);
    }
  }),
  rule('§4.4 expand', 'Returns all fields of a nested resource.', by.list('expand'), async (subject) => {
    for (const name of subject.options.expand ?? []) await demandExpanded(subject, [name]);
  }),
  rule('§4.4 expand of several', 'Names, separated by commas.', by.list('expand'), async (subject) => {
    const depth = (name: string): number => name.split(pathSeparator).length;
    // Shallow names first: of `a` and `a.b`, a server that expands the last name alone would expand both.
    const names = (subject.options.expand ?? []).toSorted((a, b) => depth(a) - depth(b)).slice(0, 2);
    if (names.length < 2) return notDeclared('fewer than two names can be expanded');
    for (const name of names) {
      const { status } = await subject.get(subject.listUrl({ expand: name }));
      if (status === 400) blockedBy('§4.4 expand');
      const alone = await subject.list({ expand: name });
      if (someAreBare(objectsAt(alone.records, name))) blockedBy('§4.4 expand');
    }
    await demandExpanded(subject, names);
  }),
] as const;
