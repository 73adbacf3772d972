import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A port that was free a moment ago: the programs of others cannot be given port 0. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Waits until something listens on a port. */
export const waitForPort = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (await isListening(port)) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
};
