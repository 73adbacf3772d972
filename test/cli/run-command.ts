import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command, as its source. */
export const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** How a command ended, and what it wrote. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment of a command; nothing of ours reaches it but the way to the runtime. */
export type Environment = Readonly<Record<string, string>>;

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when this was written to stdout. */
  written(text: string): Promise<void>;
}

/** Starts the command as a process. It ends with the test at the latest. */
export const start = (args: readonly string[], cwd: string, env: Environment = {}): Running => {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    // Compiled once per workspace: a test file starts the command many times.
    env: { PATH: process.env.PATH ?? '', HOME: cwd, NODE_COMPILE_CACHE: join(cwd, 'compiled'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const written = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      look();
      void finished.then(() => reject(new Error(`ended before it wrote ${JSON.stringify(text)}: ${stderr}`)));
    });
  return { child, finished, written };
};

/** Runs the command as a process to its end. */
export const run = (args: readonly string[], cwd: string, env?: Environment): Promise<Finished> =>
  start(args, cwd, env).finished;
