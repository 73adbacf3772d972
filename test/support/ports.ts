import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * A free port for a program that cannot be given port 0. It is below the range from which the system serves
 * port 0, so it is still free when the program starts, and when it starts once more.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (!(await isListening(port))) return port;
  }
};

/** Waits until something listens on a port. */
export const waitForPort = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (await isListening(port)) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
};
