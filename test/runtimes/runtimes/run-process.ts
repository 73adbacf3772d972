import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A process that has ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** False when it went on after its work, and was killed. */
  readonly byItself: boolean;
}

/** What a command is given. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** For its work. */
  readonly timeoutMs: number;
  /** For its end, once it has written its line. */
  readonly endWithinMs: number;
}

/**
 * Runs a command that writes one line and is done.
 *
 * @throws Error when it fails, or writes no line in time
 */
export const runProcess = async (
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, endWithinMs }: ProcessOptions,
): Promise<Ended> => {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let isDone = false;
  const kill = (): void => void child.kill('SIGKILL');
  let timer = setTimeout(kill, timeoutMs);
  child.stdout.on('data', (chunk: Buffer) => {
    if (isDone || chunk.at(-1) !== 0x0a) return;
    isDone = true;
    clearTimeout(timer);
    timer = setTimeout(kill, endWithinMs);
  });
  try {
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    const { exitCode, signalCode } = child;
    if (!isDone || (exitCode !== 0 && signalCode === null)) {
      throw new Error(`${command} ended with ${signalCode ?? exitCode}\n${stderr.trim()}`);
    }
    return { stdout, stderr, byItself: signalCode === null };
  } finally {
    clearTimeout(timer);
  }
};
