import { descendingPrefix, identityFields, listSeparator, pathSeparator } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { below } from '../../schema/codec.ts';
import { isIdentityField } from '../../schema/resource.ts';
import type { Schema } from '../../schema/types/shape.ts';
import { coreOf, elementOf, fieldsOf, innerOf, kindOf, targetOf, valuesOf } from '../../schema/zod.ts';
import { isTimestamp } from '../data.ts';
import type { Exchange, Json } from '../exchange.ts';
import { type Checks, cannotTell, demand, notDeclared, some } from '../judgement.ts';
import { demandRefused, itemUrl, type Listed, list, type Subject, someRecords } from '../subject.ts';

/** The value at a dotted path; of a list, that of its first item that has one. */
const valueAt = (value: unknown, path: string): unknown => {
  let at = value;
  for (const name of path.split(pathSeparator)) {
    if (Array.isArray(at)) at = at.find(isObject);
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
};

const valuesAt = (records: readonly Json[], path: string): readonly unknown[] =>
  records.map((record) => valueAt(record, path));

/** A field with its path. Fields of a nested object are included, those of a list or a reference are not. */
interface Field {
  readonly path: string;
  readonly schema: Schema;
}

const isList = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return elementOf(schema) !== undefined || (inner !== undefined && isList(inner));
};

const fieldsBelow = (schema: Schema, path = ''): readonly Field[] =>
  Object.entries(fieldsOf(schema) ?? {}).flatMap(([name, field]) => {
    const own = below(path, name);
    const core = coreOf(field);
    const isPlain = kindOf(core) === 'object' && targetOf(core) === undefined && !isList(field);
    return isPlain && path === '' ? fieldsBelow(core, own) : [{ path: own, schema: core }];
  });

const allows = (declared: true | readonly string[], path: string): boolean =>
  declared === true || declared.includes(path);

const scalars: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean']);

type Compare = (a: unknown, b: unknown) => number;

const byCode: Compare = (a, b) => (a === b ? 0 : String(a) < String(b) ? -1 : 1);

/** Orders that a server may sort by: the conventions name no collation. */
const comparisons: readonly Compare[] = [
  (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : byCode(a, b)),
  (a, b) => byCode(String(a).toLowerCase(), String(b).toLowerCase()),
  (a, b) => String(a).localeCompare(String(b)),
  (a, b) => String(a).localeCompare(String(b), undefined, { numeric: true }),
];

const isOrdered = (values: readonly unknown[], descending: boolean): boolean =>
  comparisons.some((compare) =>
    values.every((value, index) => {
      const order = index === 0 ? 0 : compare(values[index - 1], value);
      return descending ? order >= 0 : order <= 0;
    }),
  );

const sortable = ({ resource, options: { sort } }: Subject, records: readonly Json[]): readonly Field[] => {
  if (sort === undefined) return notDeclared('`sort` is not declared');
  return fieldsBelow(resource).filter(({ path }) => {
    const values = valuesAt(records, path);
    const isScalar = values.every((value) => scalars.has(typeof value));
    return allows(sort, path) && !path.endsWith('self') && isScalar && new Set(values).size > 1;
  });
};

/** Fields whose order is the same for every server come first. */
const rank = ({ schema, path }: Field): number => {
  if (kindOf(schema) === 'number' || kindOf(schema) === 'int') return path === 'id' ? 1 : 0;
  return isTimestamp(schema) ? 0 : 2;
};

const mostSorted = 3;

/** The first page in an order, with the second one if the list pages, because the order continues across pages. */
const sorted = async (subject: Subject, sort: string): Promise<Listed> => {
  const first = await list(subject, { sort });
  const size = first.records.length;
  if (subject.options.paging === undefined || size === 0) return first;
  const second = await list(subject, { sort, page: 2 });
  const isNew = second.records.every(({ id }) => first.records.every((record) => record.id !== id));
  return isNew ? { ...first, records: [...first.records, ...second.records] } : first;
};

const demandOrder = async (subject: Subject, path: string, descending: boolean): Promise<void> => {
  const sort = `${descending ? descendingPrefix : ''}${path}`;
  const { exchange, records } = await sorted(subject, sort);
  const values = valuesAt(records, path).filter((value) => value !== undefined);
  const expected = `${descending ? 'descending' : 'ascending'} order of \`${path}\``;
  const ids = records.slice(0, 8).map(({ id }) => String(id));
  demand(isOrdered(values, descending), exchange, expected, `another order, of the ids ${ids.join(', ')}`);
};

/** Several fields: the second one orders the records that are equal in the first. */
const demandSecondOrder = async (subject: Subject, records: readonly Json[], fields: readonly Field[]) => {
  const different = ({ path }: Field): number => new Set(valuesAt(records, path)).size;
  const byTies = fields.toSorted((a, b) => different(a) - different(b));
  const [first, second] = [byTies[0], byTies.findLast((field) => rank(field) < 2)];
  if (first === undefined || second === undefined || first === second) return;
  for (const prefix of ['', descendingPrefix]) {
    const { exchange, records: found } = await list(subject, {
      sort: [first.path, `${prefix}${second.path}`].join(listSeparator),
    });
    const keys = valuesAt(found, first.path);
    const runs = keys.filter((key, index) => index === 0 || key !== keys[index - 1]);
    const before = `the order of \`${first.path}\` before that of \`${second.path}\``;
    demand(runs.length === new Set(runs).size, exchange, before, 'another order');
    const values = valuesAt(found, second.path);
    const tiedAt = (key: unknown): readonly unknown[] => values.filter((_, index) => keys[index] === key);
    const isKept = runs.every((key) => isOrdered(tiedAt(key), prefix !== ''));
    const expected = `\`${prefix}${second.path}\` orders the records with equal \`${first.path}\``;
    demand(isKept, exchange, expected, 'another order');
  }
};

const leafOf = (
  { resource, options: { fields = [] } }: Subject,
  records: readonly Json[],
  isNested: boolean,
) =>
  fieldsBelow(resource).find(
    ({ path, schema }) =>
      allows(fields, path) &&
      path.includes(pathSeparator) === isNested &&
      !isIdentityField(path) &&
      targetOf(schema) === undefined &&
      valuesAt(records, path).some((value) => value !== undefined),
  )?.path;

/** Demands of a response to `fields=path` that it has this field, `id` and `self`, and nothing else. */
const demandFields = (exchange: Exchange, whole: Json, limited: Json, path: string): void => {
  const [head = '', ...rest] = path.split(pathSeparator);
  const expected = `\`fields=${path}\` gives id, self and ${path}`;
  for (const name of identityFields) {
    const isKept = whole[name] === undefined || limited[name] !== undefined;
    demand(isKept, exchange, expected, `\`${name}\` is missing`);
  }
  const more = Object.keys(limited).filter((name) => name !== head && !isIdentityField(name));
  demand(more.length === 0, exchange, expected, `also ${more.slice(0, 8).join(', ')}`);
  const hadIt = valueAt(whole, path) !== undefined;
  demand(!hadIt || valueAt(limited, path) !== undefined, exchange, expected, `\`${path}\` is missing`);
  const nested = limited[head];
  if (rest.length === 0 || !isObject(nested)) return;
  const others = Object.keys(nested).filter((name) => name !== rest[0] && !isIdentityField(name));
  const named = others.map((name) => below(head, name));
  demand(named.length === 0, exchange, expected, `also ${named.join(', ')}`);
};

/** The objects at a path, through lists. */
const objectsAt = (value: unknown, path: readonly string[]): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap((item) => objectsAt(item, path));
  if (!isObject(value)) return [];
  const [name, ...rest] = path;
  return name === undefined ? [value] : objectsAt(value[name], rest);
};

/** True when an object has nothing but `id` and `self`. */
const isBare = (objects: readonly Json[]): boolean =>
  objects.some((object) => Object.keys(object).every(isIdentityField));

const demandExpanded = async (subject: Subject, names: readonly string[]): Promise<void> => {
  const expand = names.join(listSeparator);
  const { exchange, records } = await list(subject, { expand });
  for (const name of names) {
    const found = objectsAt(records, name.split(pathSeparator));
    const objects = some(found, `no record of the first page has \`${name}\``);
    const expected = `all fields of \`${name}\` with \`expand=${expand}\``;
    demand(!isBare(objects), exchange, expected, 'id and self alone');
    const hasIds = objects.every(({ id }) => id !== undefined);
    demand(hasIds, exchange, `the \`id\` of \`${name}\``, 'it is missing');
  }
};

/** The rules of the query (§4.4), except those of pages. */
export const queryChecks = {
  '§4.4 sort': async (subject) => {
    const records = await someRecords(subject);
    const fields = sortable(subject, records).toSorted((a, b) => rank(a) - rank(b));
    const ordered = some(
      fields.filter(({ schema }) => valuesOf(schema).length === 0),
      'no field that can be sorted on has several values on the first page',
    );
    for (const { path } of ordered.slice(0, mostSorted)) {
      await demandOrder(subject, path, false);
      await demandOrder(subject, path, true);
    }
    await demandSecondOrder(subject, records, fields);
    await demandRefused(subject, { sort: 'restkinDoctorNone' }, 'a field that cannot be sorted on');
  },
  '§4.4 fields': async (subject) => {
    if (subject.options.fields === undefined) notDeclared('`fields` is not declared');
    const records = await someRecords(subject);
    const leaves = [leafOf(subject, records, false), leafOf(subject, records, true)];
    const paths = leaves.filter((path) => path !== undefined);
    for (const path of some(paths, 'no record of the first page has a field that can be named')) {
      const limited = await list(subject, { fields: path });
      for (const record of limited.records) {
        const whole =
          records.find(({ id }) => id === record.id) ?? (record.id === undefined ? records[0] : record);
        demandFields(limited.exchange, whole, record, path);
      }
      if (!subject.operations.includes('get')) continue;
      const item = await subject.get(
        `${itemUrl(subject, records[0])}?${new URLSearchParams({ fields: path })}`,
      );
      if (item.status === 200 && isObject(item.json)) demandFields(item, records[0], item.json, path);
    }
  },
  '§4.4 expand': async (subject) => {
    const names = subject.options.expand ?? [];
    if (names.length === 0) notDeclared('`expand` is not declared');
    for (const name of names) await demandExpanded(subject, [name]);
  },
  '§4.4 expand of several': async (subject) => {
    const depth = (name: string): number => name.split(pathSeparator).length;
    // Shallow names first: of `a` and `a.b`, a server that expands the last name alone would expand both.
    const names = (subject.options.expand ?? []).toSorted((a, b) => depth(a) - depth(b)).slice(0, 2);
    if (names.length < 2) return notDeclared('fewer than two names can be expanded');
    for (const name of names) {
      const alone = await list(subject, { expand: name });
      if (isBare(objectsAt(alone.records, name.split(pathSeparator)))) cannotTell('see §4.4 expand');
    }
    await demandExpanded(subject, names);
  },
} as const satisfies Checks<Subject>;
