import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = 'redis-server';

const isInstalled = spawnSync(program, ['--version']).status === 0;

/**
 * True when the tests that need Redis must be skipped, which is said loudly. In CI they are never skipped: there they
 * fail, because the server does not start.
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const isUp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('error', () => resolve(false));
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(String(reply).startsWith('+PONG'));
    });
  });

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
  for (let tries = 0; tries < 200 && !(await isUp(port)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  if (!(await isUp(port))) {
    await stop();
    throw new Error(`${program} did not start`);
  }
  return { port, stop, [Symbol.asyncDispose]: stop };
};
