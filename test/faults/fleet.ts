import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/runs.ts';
import type { Order, Report, WorkerConfig } from './token-worker.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// In one file a worker starts in a third of the time. It finds the packages of the stores from this folder.
const cacheFolder = here('../../node_modules/.cache');
mkdirSync(cacheFolder, { recursive: true });
const buildFolder = mkdtempSync(join(cacheFolder, 'token-worker-'));
afterAll(() => rmSync(buildFolder, { recursive: true, force: true }));
const script = join(buildFolder, 'token-worker.mjs');
buildSync({
  entryPoints: [here('token-worker.ts')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['redis', 'ioredis'],
});

/** What a worker told, and how it ended. */
export interface WorkerResult {
  readonly calls: number;
  readonly failures: readonly string[];
  readonly storeFailures: number;
  /** The signal that killed it, or its exit code. */
  readonly end: NodeJS.Signals | number | null;
}

export interface Worker {
  readonly id: string;
  /** Its client stands, and it waits for an order. */
  readonly ready: Promise<void>;
  /** Its first call succeeded, or it has ended. */
  readonly called: Promise<void>;
  /** It has ended, by itself or killed. */
  readonly ended: Promise<WorkerResult>;
  readonly order: (order: Order) => void;
  readonly kill: () => void;
}

const createSignal = () => Promise.withResolvers<void>();

const listenTo = (child: ChildProcess, id: string): Worker => {
  const [ready, called] = [createSignal(), createSignal()];
  const failures: string[] = [];
  let storeFailures = 0;
  let calls = 0;
  child.on('message', (message) => {
    const report = message as Report;
    if (report.type === 'done') calls = report.calls;
    else if (report.type === 'failed') failures.push(report.error);
    else if (report.type === 'storeFailed') storeFailures++;
    else if (report.type === 'called') called.resolve();
    else ready.resolve();
  });
  const ended = new Promise<WorkerResult>((resolve) => {
    child.once('close', (code, signal) => {
      ready.resolve();
      called.resolve();
      resolve({ calls, failures, storeFailures, end: signal ?? code });
    });
  });
  return {
    id,
    ready: ready.promise,
    called: called.promise,
    ended,
    // A worker that is gone cannot be told anything; how it ended says so.
    order: (order) => void child.send(order, () => undefined),
    kill: () => void child.kill('SIGKILL'),
  };
};

/** Starts workers whose compiled sources are kept for the next one, and ends them with the test. */
export const createFleet = () => {
  const cache = temporaryFolder();
  const children = new Set<ChildProcess>();
  let started = 0;
  onTestFinished(async () => {
    const left = [...children];
    for (const child of left) child.kill('SIGKILL');
    await Promise.all(left.map((child) => once(child, 'close')));
  });
  return {
    start: (config: Omit<WorkerConfig, 'id'>): Worker => {
      const id = `worker-${started++}`;
      const child = fork(script, [JSON.stringify({ ...config, id })], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
        env: { ...process.env, NODE_COMPILE_CACHE: cache },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.add(child);
      child.once('close', () => children.delete(child));
      return listenTo(child, id);
    },
  };
};
