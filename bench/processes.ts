import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { built } from './build.ts';
import type { Task } from './worker.ts';
import type { Figures } from './workloads.ts';

const run = promisify(execFile);

/** A process that listens on a port of its own. */
export interface Listening extends AsyncDisposable {
  readonly origin: string;
  readonly child: ChildProcess;
}

/** Starts a server in a process of its own; it ends with its disposal, or with this process. */
export const listen = async (name: string, ...rest: string[]): Promise<Listening> => {
  const child = fork(join(built, `${name}.js`), rest);
  const [port] = (await once(child, 'message')) as [number];
  return {
    origin: `http://127.0.0.1:${port}`,
    child,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};

/** Runs a built script to its end and reads what it wrote. */
export const runScript = async (
  name: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Figures> => {
  const { stdout } = await run(process.execPath, [...flags, join(built, `${name}.js`), ...args]);
  return JSON.parse(stdout) as Figures;
};

/** Takes one measurement in a fresh process. */
export const measure = (task: Task): Promise<Figures> =>
  runScript('worker', [JSON.stringify(task)], task.workload === 'memory' ? ['--expose-gc'] : []);
