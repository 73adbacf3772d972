#!/usr/bin/env node
import { stoppedBy } from './errors.ts';
import { createOutput } from './io.ts';
import { run } from './program.ts';

const stop = new AbortController();

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const reason = stoppedBy(signal);
    // The second signal ends the command without waiting for anything that still runs. A terminal that closes
    // may send SIGHUP more than once.
    if (stop.signal.aborted && signal !== 'SIGHUP') process.exit(reason.exitCode);
    stop.abort(reason);
  });
}

// A user of the command cannot act on warnings about type stripping and a package without a "type". Of a file
// that is not a module, the error says what to do.
const unimportant = ['ExperimentalWarning', 'MODULE_TYPELESS_PACKAGE_JSON'];
const noModule = /^Failed to load the ES module/;

process.removeAllListeners('warning');
process.on('warning', ({ name, message, code }: Error & { readonly code?: string }) => {
  if (!unimportant.includes(code ?? name) && !noModule.test(message))
    process.stderr.write(`restkin: ${name}: ${message}\n`);
});

const exitCode = await run(process.argv.slice(2), {
  out: createOutput(process.stdout, stop.signal),
  err: createOutput(process.stderr, stop.signal),
  env: process.env,
  signal: stop.signal,
});
// Does not wait for timers and connections that the API file has left open.
process.exit(exitCode);
