// A program of many collections, for what it costs a compiler and an editor.
import * as presets from 'restkin/families';
import type { Family, QueryNames } from '../../src/families/family.ts';

const collections = 100;
const leaves = ['z.string()', 'z.int()', 'z.boolean()', 'z.iso.datetime()', "z.enum(['a', 'b', 'c'])"];
const plain = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `f${from + i}: ${leaves[i % leaves.length]}`).join(', ');

const indices = Array.from({ length: collections }, (_, index) => index);

/** 30 fields, nested three deep: objects, lists of resources, and a resource that can be expanded. */
const resourceOf = (index: number, { expand }: QueryNames): string => {
  const deep = `z.object({ ${plain(0, 3)}, deeper: z.object({ ${plain(0, 3)}, deepest: z.object({ ${plain(0, 2)} }) }) })`;
  const other = index === 0 || expand === undefined ? '' : `, previous: expandable(R${index - 1})`;
  return `export const R${index} = resource({ ${plain(0, 27)}, deep: ${deep}, lines: z.array(resource({ ${plain(0, 4)} }))${other} });`;
};

const collectionOf = (index: number, { fields, expand }: QueryNames): string => {
  const names = index === 0 ? '' : "'previous'";
  const options = [
    'sort: true',
    ...(fields === undefined ? [] : ['fields: true']),
    ...(expand === undefined ? [] : [`expand: [${names}]`]),
    'paging: true',
  ];
  return `    c${index}: collection('c${index}', R${index}, { ${options.join(', ')} }),`;
};

/** Where the builders come from: the main entry, or a preset. */
const importsOf = (preset: string | undefined): string =>
  preset === undefined
    ? "import { collection, defineApi, expandable, resource } from 'restkin';"
    : `import { family } from 'restkin';
import { ${preset} } from 'restkin/families';
const { collection, defineApi, expandable, resource } = family(${preset});`;

const values = ["'a'", '1', 'true', "'2026-01-01T00:00:00Z'", "'a' as const"];
const whole = `{ ${Array.from({ length: 27 }, (_, i) => `f${i}: ${values[i % values.length]}`).join(', ')}, deep: { f0: 'a', f1: 1, f2: true, deeper: { f0: 'a', f1: 1, f2: true, deepest: { f0: 'a', f1: 1 } } }, lines: [] }`;

/** The relation in a body: a family has a reference, an id or nothing there. */
const relations = {
  reference: '{ ...whole, previous: { id: 1 } }',
  id: '{ ...whole, previous: 1 }',
  absent: 'whole',
};

type Unexpanded = keyof typeof relations;

/** Every kind of call that a program makes of a collection. */
const callsOf = (i: number, { fields, expand }: QueryNames, unexpanded: Unexpanded): string => {
  const hasRelation = i > 0 && expand !== undefined;
  const limited = fields === undefined ? '' : ", fields: ['f0', 'deep.deeper.deepest.f1', 'lines']";
  const built = fields === undefined ? '' : ".fields('f0', 'lines')";
  return `
  for await (const row of c${i}.list({ sort: ['-f1', 'deep.deeper.f0']${limited} })) console.log(row.f0, row.deep.deeper.deepest.f1, row.lines[0]?.f1);
  console.log((await c${i}.get(1${hasRelation ? ", { expand: ['previous'] }" : ''})).f0);
  await c${i}.update(1, { deep: { deeper: { f1: 1 } } });
  await c${i}.replace(1, ${hasRelation ? relations[unexpanded] : 'whole'});
  for await (const row of c${i}.query().sort('-f1')${built}.perPage(10).list()) console.log(row.f0);`;
};

const families: Readonly<Record<string, Family>> = { ...presets };

/**
 * The declaration of 100 collections, and a program that calls each; it imports `./declaration.ts`.
 *
 * @param preset - the name of a family; the main entry by default
 */
export const createLargeProgram = (preset?: string) => {
  const { query = {}, unexpanded = 'reference' } = families[preset ?? 'conventions'] ?? {};
  return {
    declaration: `${importsOf(preset)}
import * as z from 'zod';
${indices.map((index) => resourceOf(index, query)).join('\n')}
export const api = defineApi({
  name: 'large', version: 1, auth: 'token',
  collections: {
${indices.map((index) => collectionOf(index, query)).join('\n')}
  },
});
`,
    program: `import type { Client } from 'restkin';
import { api } from './declaration.ts';
declare const client: Client;
const whole = ${whole};
const { ${indices.map((i) => `c${i}`).join(', ')} } = client.api(api);
export const run = async () => {${indices.map((index) => callsOf(index, query, unexpanded)).join('')}
};
`,
  };
};
