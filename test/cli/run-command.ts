import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Environment of a command; nothing of ours reaches it but the way to the runtime. */
export type Environment = Readonly<Record<string, string>>;

/** Starts the command as a process. It ends with the test at the latest. */
export const start = (args: readonly string[], cwd: string, env: Environment = {}) => {
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
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  /** Resolves when this was written to stdout. */
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
export const run = (args: readonly string[], cwd: string, env?: Environment) =>
  start(args, cwd, env).finished;
