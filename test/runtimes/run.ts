// restkin on every runtime: node test/runtimes/run.ts [--only=Deno,Chromium] [--allow-missing] [--chromium=path]
import { rmSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createConsumer } from '../support/consumer.ts';
import { bundle } from './bundle.ts';
import { lineOf, type RuntimeReport, unexpectedOf } from './report.ts';
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

const runOn = async (runtime: Runtime, work: Work): Promise<void> => {
  const { name } = runtime;
  const installed = await runtime.find();
  if (installed === undefined) {
    const text = `${name} is not installed`;
    if (values['allow-missing']) console.log(text);
    else fail(`${text}; --allow-missing goes on without it`);
    return;
  }
  const begin = performance.now();
  try {
    const report: RuntimeReport = { name, version: installed.version, results: await installed.run(work) };
    console.log(lineOf(report, performance.now() - begin));
    for (const failure of unexpectedOf(report)) fail(`  ${failure.name}\n    ${failure.reason}`);
  } catch (error) {
    fail(`${name} could not run the cases: ${error instanceof Error ? error.message : String(error)}`);
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
for (const runtime of all.filter(({ name }) => only.includes(name))) {
  await runOn(runtime, { bundles, folder, controlUrl: control.url });
}
