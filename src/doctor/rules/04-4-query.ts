import { identityFields, listSeparator, pathSeparator } from '../../conventions.ts';
import { isObject } from '../../options.ts';
import { isIdentityField } from '../../schema/resource.ts';
import { targetOf } from '../../schema/zod.ts';
import { namedPlaces, valuesAt } from '../data.ts';
import type { Exchange, Json } from '../exchange.ts';
import { blockedBy, demand, notDeclared, some } from '../judgement.ts';
import { ofList, permitted, rule } from '../rule.ts';
import { checkSort } from '../sort.ts';
import type { Subject } from '../subject.ts';

const leafOf = (
  { resource, options: { fields } }: Subject,
  records: readonly Json[],
  isNested: boolean,
): string | undefined =>
  namedPlaces(resource, records, fields).find(
    ({ path, schema, value }) =>
      path.includes(pathSeparator) === isNested &&
      path !== 'id' &&
      targetOf(schema) === undefined &&
      value !== undefined &&
      !isObject(value),
  )?.path;

const demandFields = (exchange: Exchange, whole: Json, limited: Json, path: string): void => {
  const [head = '', tail] = path.split(pathSeparator);
  const expected = `\`fields=${path}\` gives id, self and ${path}`;
  for (const name of [...identityFields, path]) {
    const isKept = valuesAt(whole, name).length === 0 || valuesAt(limited, name).length > 0;
    demand(isKept, exchange, expected, `\`${name}\` is missing`);
  }
  const nested = tail === undefined ? [] : valuesAt(limited, head).flat().filter(isObject);
  const more = [
    ...Object.keys(limited).filter((name) => name !== head),
    ...nested.flatMap((object) => Object.keys(object)).filter((name) => name !== tail),
  ].filter((name) => !isIdentityField(name));
  demand(more.length === 0, exchange, expected, `also ${more.slice(0, 8).join(', ')}`);
};

const objectsAt = (records: readonly Json[], path: string): readonly Json[] =>
  valuesAt(records, path).flat().filter(isObject);

const someAreBare = (objects: readonly Json[]): boolean =>
  objects.some((object) => Object.keys(object).every(isIdentityField));

const demandExpanded = async (subject: Subject, names: readonly string[]): Promise<void> => {
  const expand = names.join(listSeparator);
  const { exchange, records } = await subject.list({ expand });
  for (const name of names) {
    const found = objectsAt(records, name);
    const objects = some(found, `no record of the first page has \`${name}\``);
    const expected = `all fields of \`${name}\` with \`expand=${expand}\``;
    demand(!someAreBare(objects), exchange, expected, 'id and self alone');
    const hasIds = objects.every(({ id }) => id !== undefined);
    demand(hasIds, exchange, `the \`id\` of \`${name}\``, 'it is missing');
  }
};

export const query = [
  rule('§4.4 undeclared', 'Parameters are for endpoints that declare support.', {
    unseen: 'the conventions do not say what a parameter without support gets',
  }),
  rule('§4.4 sort', 'Names in order, `-` for descending; else 400.', ofList('sort'), checkSort),
  rule('§4.4 sort of an unexpanded resource', '`company.name` sorts.', permitted),
  rule('§4.4 fields', 'Restricts the fields; id and self stay.', ofList('fields'), async (subject) => {
    const { records } = await subject.firstRecords();
    const leaves = [leafOf(subject, records, false), leafOf(subject, records, true)];
    const paths = leaves.filter((path) => path !== undefined);
    for (const path of some(paths, 'no record of the first page has a field that can be named')) {
      const limited = await subject.list({ fields: path });
      for (const record of limited.records) {
        const whole = records.find(({ id }) => id === record.id) ?? records[0];
        demandFields(limited.exchange, whole, record, path);
      }
      if (!subject.has('get')) continue;
      const search = new URLSearchParams({ fields: path });
      const item = await subject.get(`${subject.itemUrl(records[0])}?${search}`);
      if (item.status === 200 && isObject(item.json)) demandFields(item, records[0], item.json, path);
    }
  }),
  rule('§4.4 expand', 'Returns all fields of a nested resource.', ofList('expand'), async (subject) => {
    for (const name of subject.options.expand ?? []) await demandExpanded(subject, [name]);
  }),
  rule('§4.4 expand of several', 'Names, separated by commas.', ofList('expand'), async (subject) => {
    const depth = (name: string): number => name.split(pathSeparator).length;
    // Shallow names first: of `a` and `a.b`, a server that expands the last name alone would expand both.
    const names = (subject.options.expand ?? []).toSorted((a, b) => depth(a) - depth(b)).slice(0, 2);
    if (names.length < 2) return notDeclared('fewer than two names can be expanded');
    for (const name of names) {
      const alone = await subject.list({ expand: name });
      if (someAreBare(objectsAt(alone.records, name))) blockedBy('§4.4 expand');
    }
    await demandExpanded(subject, names);
  }),
] as const;
