import { setupServer } from 'msw/node';
import { type Mock, type MockServer, serve } from 'restkin/mocks';

/** The base URLs of a mock; nothing where it serves the root of every origin. */
export interface Where {
  readonly baseUrl?: string;
  readonly authUrl?: string;
}

/** A mock that can be reached. */
export interface Place {
  readonly mock: Mock;
  readonly url: string;
  readonly authUrl: string;
}

/** A door through which mocks are reached until it is closed. */
export interface OpenDoor extends AsyncDisposable {
  place(create: (where: Where) => Mock): Promise<Place>;
}

/** A kind of door. */
export interface Door {
  readonly name: 'msw' | 'HTTP';
  open(): OpenDoor;
}

const openMsw = (): OpenDoor => {
  const server = setupServer();
  let count = 0;
  server.listen({ onUnhandledFrame: 'error' });
  return {
    place: async (create) => {
      const name = count++ === 0 ? '' : `${count}.`;
      const where = {
        baseUrl: `https://api.${name}example.com`,
        authUrl: `https://auth.${name}example.com`,
      };
      const mock = create(where);
      server.use(...mock.handlers);
      return { mock, url: where.baseUrl, authUrl: where.authUrl };
    },
    [Symbol.asyncDispose]: async () => server.close(),
  };
};

const openHttp = (): OpenDoor => {
  const servers: MockServer[] = [];
  return {
    place: async (create) => {
      const mock = create({});
      const server = await serve(mock);
      servers.push(server);
      return { mock, url: server.url, authUrl: server.url };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};

/** The doors of a mock: the handlers of msw in this process, and a server on a free port. */
export const doors: readonly Door[] = [
  { name: 'msw', open: openMsw },
  { name: 'HTTP', open: openHttp },
];
