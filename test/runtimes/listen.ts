import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen on a free port of this machine. Disposing it ends its connections too. */
export const listenAnywhere = async (server: Server): Promise<AsyncDisposable & { readonly url: string }> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a TCP port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
