import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** How a process ended, and what it printed. */
export interface Ended {
  /** The signal that ended it, or its exit code. */
  readonly end: NodeJS.Signals | number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of an example. */
export interface ExampleProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Waits until a pattern stands in what it printed. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts Node with a file of `examples/`; it does not outlive the test. */
export const startExample = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ExampleProcess => {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...inherited, NODE_DISABLE_COLORS: '1', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ end: signal ?? code, stdout, stderr }));
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  return {
    child,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(({ end }) =>
          reject(new Error(`It ended with ${end} before it printed ${pattern}: ${stdout}${stderr}`)),
        );
      }),
  };
};
