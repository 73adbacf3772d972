import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitForPort } from './ports.ts';

const program = 'redis-server';

const isInstalled = spawnSync(program, ['--version']).status === 0;

/**
 * True when the tests that need Redis must be skipped, which is said loudly. In CI they are never skipped:
 * there they fail, because the server does not start.
 */
export const skipRedis = !isInstalled && !process.env.CI;

if (skipRedis) {
  process.stderr.write(
    '\n*** redis-server is not installed: the tests of the Redis token store are SKIPPED.' +
      '\n*** apt-get install -y redis-server\n\n',
  );
}

export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** Ends it, as a crash would. */
  stop(): Promise<void>;
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Starts Debian's `redis-server` on a free port, with a folder of its own. */
export const startRedis = async (): Promise<RedisServer> => {
  if (!isInstalled) throw new Error(`${program} is not installed: apt-get install -y redis-server`);
  const folder = mkdtempSync(join(tmpdir(), 'restkin-redis-'));
  const port = await freePort();
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  // The server does not outlive the tests, however they end.
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    await end(child);
    process.off('exit', onExit);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForPort(port);
  } catch (error) {
    await stop();
    throw new Error(`${program} did not start`, { cause: error });
  }
  return { port, stop, [Symbol.asyncDispose]: stop };
};
