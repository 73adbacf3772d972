import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** What becomes of a connection: `before`, nothing reaches the server; `after`, its response does not come back. */
export type ProxyFault = 'before' | 'after' | 'reset' | undefined;

/** A proxy that passes bytes on, until it does not. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** What becomes of the next connections, in order; those behind them are passed on. */
  readonly faults: ProxyFault[];
  /** Connections that were made. */
  connections(): number;
}

const passOn = (client: Socket, upstream: Socket, fault: ProxyFault): void => {
  client.pipe(upstream);
  if (fault === undefined) {
    upstream.pipe(client);
    return;
  }
  // The server has done its work when it responds; the response is dropped.
  upstream.once('data', () => {
    if (fault === 'reset') client.resetAndDestroy();
    else client.destroy();
    upstream.destroy();
  });
};

/** Starts a proxy before a server on this machine. Each request should come on a connection of its own. */
export const startFaultProxy = async (target: string): Promise<FaultProxy> => {
  const { hostname, port } = new URL(target);
  const faults: ProxyFault[] = [];
  const sockets = new Set<Socket>();
  let count = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const server = createServer((client) => {
    keep(client);
    count++;
    const fault = faults.shift();
    if (fault === 'before') client.destroy();
    else passOn(client, keep(dial(Number(port), hostname)), fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    connections: () => count,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
