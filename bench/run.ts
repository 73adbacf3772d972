// restkin against its peers:
// npm run bench -- [--quick] [--only=sequential,cold,bytes,mock] [--dist=dist] [--write]
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProcesses, entryOf, here } from './build.ts';
import { compareBytes } from './bytes.ts';
import { availablePeers, compare } from './compare.ts';
import { exists } from './exists.ts';
import { compareMock } from './mock-load.ts';
import { listen } from './processes.ts';
import { type Table, toMarkdown, toTables, toText } from './report.ts';
import { scenarios } from './scenarios.ts';
import { describeRun, isBusy } from './versions.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    dist: { type: 'string', default: join(here, '..', 'dist') },
    write: { type: 'boolean', default: false },
  },
});
const { quick, dist } = values;
const names = [...scenarios.map(({ name }) => name), 'bytes', 'mock'];
const only = values.only?.split(',') ?? names;
const unknown = only.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`No scenario is called ${unknown}; there are ${names.join(', ')}`);
if (!(await exists(join(here, 'node_modules', 'axios'))))
  throw new Error('The peers are not installed: npm ci --prefix bench');
if (!(await exists(entryOf(dist, 'restkin')))) throw new Error('restkin is not built: npm run build');

const begin = performance.now();
const run = await describeRun();
const notes: string[] = [];
if (!(await exists(entryOf(dist, 'restkin/undici')))) {
  notes.push('`restkin/undici` is not in this build and was left out.');
}
if (quick) notes.push('A quick run: few rounds, so the spread is wide.');
if (isBusy())
  notes.push('The machine was busy with other work: the times, more than the CPU, are not to be relied on.');
console.log([run, ...notes].join('\n'));

await buildProcesses(dist);
const tables: Table[] = [];
const show = (table: Table): void => {
  tables.push(table);
  console.log(toText(table));
};

await using server = await listen('server');
for (const scenario of scenarios) {
  if (!only.includes(scenario.name)) continue;
  const measured = await compare(scenario, server, { quick, dist });
  for (const table of toTables(scenario, measured)) show(table);
}
if (only.includes('bytes')) {
  const peers = [...(scenarios[0]?.peers ?? []), 'restkin-mini'];
  show(await compareBytes(await availablePeers(peers, dist), dist));
}
if (only.includes('mock')) show(await compareMock(quick));
console.log(`\n${Math.round((performance.now() - begin) / 1000)} s`);

const results = join(here, 'RESULTS.md');
const explanation = '## Where the time goes';

/** What was written by hand stays. */
const keptText = async (): Promise<string> => {
  const before = (await exists(results)) ? await readFile(results, 'utf8') : '';
  const at = before.indexOf(explanation);
  return at < 0 ? '' : `\n${before.slice(at)}`;
};

if (values.write || (!quick && values.only === undefined)) {
  const preface = await readFile(join(here, 'preface.md'), 'utf8');
  const page = [preface.trim(), [run, ...notes].join('\n'), ...tables.map(toMarkdown)].join('\n\n');
  await writeFile(results, `${page}\n${await keptText()}`);
}
