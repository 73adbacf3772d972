import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = 'redis-server';

/** A Redis for this program alone, behind a socket file; `path` is what ioredis takes in place of a URL. */
export interface OwnRedis {
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts it and waits until it answers. */
export const startRedis = async (): Promise<OwnRedis> => {
  const folder = await mkdtemp(join(tmpdir(), 'restkin-fleet-'));
  const path = join(folder, 'redis.sock');
  const server = spawn(program, ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Neither outlives this program, also when that fails.
  process.once('exit', () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
    server.stdout.on('data', (text: Buffer) => {
      if (/ready to accept connections/i.test(text.toString())) resolve();
    });
  });
  return {
    path,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await ended;
    },
  };
};
