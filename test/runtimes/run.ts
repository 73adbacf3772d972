// restkin on every runtime: node test/runtimes/run.ts
import { rmSync } from 'node:fs';
import process from 'node:process';
import { createConsumer } from '../support/consumer.ts';
import { bundle } from './bundle.ts';
import type { CaseResult } from './case.ts';
import { knownLimits } from './known-limits.ts';
import { browser, workerd } from './pages.ts';
import { processRuntimes } from './processes.ts';
import type { Runtime, Work } from './runtime.ts';

const fail = (text: string): void => {
  console.error(text);
  process.exitCode = 1;
};

const isKnown = (runtime: string, { name, reason = '' }: CaseResult): boolean =>
  knownLimits.some(
    ({ runtimes, cases, shows }) =>
      runtimes.includes(runtime) && cases.includes(name) && reason.includes(shows),
  );

const runOn = async ({ name, run }: Runtime, work: Work): Promise<void> => {
  const begin = performance.now();
  try {
    const results = await run(work);
    const holds = results.filter(({ outcome }) => outcome === 'holds').length;
    const failures = results.filter(({ outcome }) => outcome === 'fails');
    const unexpected = failures.filter((failure) => !isKnown(name, failure));
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`${name}: ${holds} hold, ${failures.length - unexpected.length} known limits, ${seconds} s`);
    for (const failure of unexpected) fail(`  FAILS: ${failure.name}\n    ${failure.reason}`);
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
for (const runtime of [...processRuntimes, workerd, browser]) {
  await runOn(runtime, { bundles, folder, controlUrl: control.url });
}
