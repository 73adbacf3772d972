// A program of many collections, for what it costs a compiler and an editor.

const collections = 100;
const leaves = ['z.string()', 'z.int()', 'z.boolean()', 'z.iso.datetime()', "z.enum(['a', 'b', 'c'])"];
const plain = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `f${from + i}: ${leaves[i % leaves.length]}`).join(', ');

/** 30 fields, nested three deep: objects, lists of resources, and a resource that can be expanded. */
const resourceOf = (index: number): string => {
  const deep = `z.object({ ${plain(0, 3)}, deeper: z.object({ ${plain(0, 3)}, deepest: z.object({ ${plain(0, 2)} }) }) })`;
  const other = index === 0 ? '' : `, previous: expandable(R${index - 1})`;
  return `export const R${index} = resource({ ${plain(0, 27)}, deep: ${deep}, lines: z.array(resource({ ${plain(0, 4)} }))${other} });`;
};

const indices = Array.from({ length: collections }, (_, index) => index);
/** Their declaration. */
export const declaration = `import { collection, defineApi, expandable, resource } from 'restkin';
import * as z from 'zod';
${indices.map(resourceOf).join('\n')}
export const api = defineApi({
  name: 'large', version: 1, auth: 'token',
  collections: {
${indices.map((i) => `    c${i}: collection('c${i}', R${i}, { sort: true, fields: true, expand: [${i === 0 ? '' : "'previous'"}], paging: true }),`).join('\n')}
  },
});
`;
const values = ["'a'", '1', 'true', "'2026-01-01T00:00:00Z'", "'a' as const"];
const whole = `{ ${Array.from({ length: 27 }, (_, i) => `f${i}: ${values[i % values.length]}`).join(', ')}, deep: { f0: 'a', f1: 1, f2: true, deeper: { f0: 'a', f1: 1, f2: true, deepest: { f0: 'a', f1: 1 } } }, lines: [] }`;
/** Every kind of call that a program makes of a collection. */
const callsOf = (i: number): string => `
  for await (const row of c${i}.list({ sort: ['-f1', 'deep.deeper.f0'], fields: ['f0', 'deep.deeper.deepest.f1', 'lines'] })) console.log(row.f0, row.deep.deeper.deepest.f1, row.lines[0]?.f1);
  console.log((await c${i}.get(1${i === 0 ? '' : ", { expand: ['previous'] }"})).f0);
  await c${i}.update(1, { deep: { deeper: { f1: 1 } } });
  await c${i}.replace(1, ${i === 0 ? 'whole' : '{ ...whole, previous: { id: 1 } }'});
  for await (const row of c${i}.query().sort('-f1').fields('f0', 'lines').perPage(10).list()) console.log(row.f0);`;
/** What calls each of them; it imports `./declaration.ts`. */
export const program = `import type { Client } from 'restkin';
import { api } from './declaration.ts';
declare const client: Client;
const whole = ${whole};
const { ${indices.map((i) => `c${i}`).join(', ')} } = client.api(api);
export const run = async () => {${indices.map(callsOf).join('')}
};
`;
