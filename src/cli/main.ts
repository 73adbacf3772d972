#!/usr/bin/env node
import { createOutput } from './io.ts';
import { run } from './run.ts';
import { stoppedBy } from './stopped.ts';

const stop = new AbortController();
let isDone = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const reason = stoppedBy(signal);
    // Asked a second time, or when all is said: whatever still hangs, of the API file perhaps, is left alone.
    if (stop.signal.aborted || isDone) process.exit(reason.exitCode);
    stop.abort(reason);
  });
}

// Types that are taken away, a package without a "type", node:sqlite: nothing that a user of the command can change.
const unimportant = (warning: Error & { readonly code?: string }): boolean =>
  warning.name === 'ExperimentalWarning' || warning.code === 'MODULE_TYPELESS_PACKAGE_JSON';

process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (!unimportant(warning)) process.stderr.write(`restkin: ${warning.name}: ${warning.message}\n`);
});

// The exit code is set, and the process ends by itself: a renewal of the login that is on its way is still committed.
process.exitCode = await run(process.argv.slice(2), {
  out: createOutput(process.stdout, (reason) => stop.abort(reason), stop.signal),
  err: createOutput(process.stderr, () => undefined),
  input: process.stdin,
  env: process.env,
  signal: stop.signal,
});
isDone = true;
