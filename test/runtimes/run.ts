// restkin on every runtime: node test/runtimes/run.ts [--only=Deno,Chromium] [--allow-missing] [--chromium=path]
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createConsumer } from '../support/consumer.ts';
import { bundle } from './bundle.ts';
import { lineOf, pageOf, type RuntimeReport, unexpectedOf } from './report.ts';
import { chromiumAt } from './runtimes/chromium.ts';
import { processRuntimes } from './runtimes/processes.ts';
import type { Runtime, Work } from './runtimes/runtime.ts';
import { workerd } from './runtimes/workerd.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'allow-missing': { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

const all: readonly Runtime[] = [...processRuntimes, workerd, chromiumAt(values.chromium)];
const names = all.map(({ name }) => name);
const only = values.only?.split(',') ?? names;
const unknown = only.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`No runtime is called ${unknown}; there are ${names.join(', ')}`);
const fail = (text: string): void => {
  console.error(text);
  process.exitCode = 1;
};

const runOn = async (runtime: Runtime, work: Work): Promise<RuntimeReport | undefined> => {
  const { name } = runtime;
  const installed = await runtime.find();
  if (installed === undefined) {
    const text = `${name} is not installed`;
    if (values['allow-missing']) console.log(text);
    else fail(`${text}; --allow-missing goes on without it`);
    return undefined;
  }
  const begin = performance.now();
  try {
    const report = { name, version: installed.version, results: await installed.run(work) };
    console.log(lineOf(report, performance.now() - begin));
    for (const failure of unexpectedOf(report)) fail(`  ${failure.name}\n    ${failure.reason}`);
    return report;
  } catch (error) {
    fail(`${name} could not run the cases: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

const consumer = await createConsumer();
const { folder } = consumer;
// Also when it is stopped on the way.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const bundles = await bundle(folder);
// Bundled from the file beside this one.
const { startControl } = (await import(bundles.control)) as typeof import('./control.ts');
await using control = await startControl(bundles.page);
const reports: RuntimeReport[] = [];
for (const runtime of all.filter(({ name }) => only.includes(name))) {
  const report = await runOn(runtime, { bundles, folder, controlUrl: control.url });
  if (report !== undefined) reports.push(report);
}
// A page of some runtimes would hide what the others do.
if (reports.length === all.length) {
  await writeFile(new URL('../../docs/runtimes.md', import.meta.url), pageOf(reports));
}
