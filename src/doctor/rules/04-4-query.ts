import { identityFields, listSeparator, pathSeparator } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { below } from '../../schema/codec.ts';
import { isIdentityField } from '../../schema/resource.ts';
import { targetOf } from '../../schema/zod.ts';
import type { Exchange, Json } from '../exchange.ts';
import { blockedBy, demand, notDeclared, some } from '../judgement.ts';
import { ofList, permitted, rule } from '../rule.ts';
import { allows, checkSort, fieldsBelow, valueAt } from '../sort.ts';
import type { Subject } from '../subject.ts';

/** A path that `fields` can name, and that some record has. */
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
      records.some((record) => valueAt(record, path) !== undefined),
  )?.path;

/** Demands of a response to `fields=path` that it has this field, `id` and `self`, and nothing else. */
const demandFields = (exchange: Exchange, whole: Json, limited: Json, path: string): void => {
  const [head = '', ...rest] = path.split(pathSeparator);
  const expected = `\`fields=${path}\` gives id, self and ${path}`;
  for (const name of [...identityFields, path]) {
    const isKept = valueAt(whole, name) === undefined || valueAt(limited, name) !== undefined;
    demand(isKept, exchange, expected, `\`${name}\` is missing`);
  }
  const nested = limited[head];
  const more = [
    ...Object.keys(limited).filter((name) => name !== head),
    ...Object.keys(rest.length > 0 && isObject(nested) ? nested : {})
      .filter((name) => name !== rest[0] && !isIdentityField(name))
      .map((name) => below(head, name)),
  ].filter((name) => !isIdentityField(name));
  demand(more.length === 0, exchange, expected, `also ${more.slice(0, 8).join(', ')}`);
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
  const { exchange, records } = await subject.list({ expand });
  for (const name of names) {
    const found = objectsAt(records, name.split(pathSeparator));
    const objects = some(found, `no record of the first page has \`${name}\``);
    const expected = `all fields of \`${name}\` with \`expand=${expand}\``;
    demand(!isBare(objects), exchange, expected, 'id and self alone');
    const hasIds = objects.every(({ id }) => id !== undefined);
    demand(hasIds, exchange, `the \`id\` of \`${name}\``, 'it is missing');
  }
};

/** §4.4 Query parameters, except those of pages. */
export const query = [
  rule('§4.4 undeclared', 'Parameters are for endpoints that declare support.', {
    unseen: 'the conventions do not say what a parameter without support gets',
  }),
  rule('§4.4 sort', 'Names in order, `-` for descending; else 400.', ofList('sort'), checkSort),
  rule('§4.4 sort of an unexpanded resource', '`company.name` sorts.', permitted),
  rule(
    '§4.4 fields',
    'Restricts the returned fields; id and self always stay.',
    ofList('fields'),
    async (subject) => {
      const records = await subject.someRecords();
      const leaves = [leafOf(subject, records, false), leafOf(subject, records, true)];
      const paths = leaves.filter((path) => path !== undefined);
      for (const path of some(paths, 'no record of the first page has a field that can be named')) {
        const limited = await subject.list({ fields: path });
        for (const record of limited.records) {
          const whole = records.find(({ id }) => id === record.id);
          demandFields(
            limited.exchange,
            whole ?? (record.id === undefined ? records[0] : record),
            record,
            path,
          );
        }
        if (!subject.has('get')) continue;
        const search = new URLSearchParams({ fields: path });
        const item = await subject.get(`${subject.itemUrl(records[0])}?${search}`);
        if (item.status === 200 && isObject(item.json)) demandFields(item, records[0], item.json, path);
      }
    },
  ),
  rule('§4.4 expand', 'Returns all fields of a nested resource.', ofList('expand'), async (subject) => {
    for (const name of subject.options.expand ?? []) await demandExpanded(subject, [name]);
  }),
  rule(
    '§4.4 expand of several',
    'Names are separated by commas; a dotted one leads deeper.',
    ofList('expand'),
    async (subject) => {
      const depth = (name: string): number => name.split(pathSeparator).length;
      // Shallow names first: of `a` and `a.b`, a server that expands the last name alone would expand both.
      const names = (subject.options.expand ?? []).toSorted((a, b) => depth(a) - depth(b)).slice(0, 2);
      if (names.length < 2) return notDeclared('fewer than two names can be expanded');
      for (const name of names) {
        const alone = await subject.list({ expand: name });
        if (isBare(objectsAt(alone.records, name.split(pathSeparator)))) blockedBy('§4.4 expand');
      }
      await demandExpanded(subject, names);
    },
  ),
] as const;
