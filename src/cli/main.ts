#!/usr/bin/env node
import { stoppedBy } from './errors.ts';
import { createOutput } from './io.ts';
import { run } from './program.ts';

const stop = new AbortController();

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const reason = stoppedBy(signal);
    // The second signal ends the command without waiting for anything that still runs. A terminal that closes may send
    // SIGHUP more than once.
    if (stop.signal.aborted && signal !== 'SIGHUP') process.exit(reason.exitCode);
    stop.abort(reason);
  });
}

// Warnings about type stripping and a package without a "type". A user of the command cannot act on them.
const unimportant = (warning: Error & { readonly code?: string }): boolean =>
  warning.name === 'ExperimentalWarning' || warning.code === 'MODULE_TYPELESS_PACKAGE_JSON';

process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (!unimportant(warning)) process.stderr.write(`restkin: ${warning.name}: ${warning.message}\n`);
});

const exitCode = await run(process.argv.slice(2), {
  out: createOutput(process.stdout, (reason) => stop.abort(reason), stop.signal),
  err: createOutput(process.stderr, () => undefined, stop.signal),
  env: process.env,
  signal: stop.signal,
});
// Does not wait for timers and connections that the API file has left open.
process.exit(exitCode);
