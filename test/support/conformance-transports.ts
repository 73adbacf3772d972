import { setupServer } from 'msw/node';
import { type Apis, type Mock, type MockServer, serve } from 'restkin/mocks';
import { handlers } from 'restkin/msw';
import { toOpenApi } from 'restkin/openapi';
import { documentInspector, type Inspect } from './documented.ts';

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

/** A transport by which mocks are reached until it is closed. */
export interface OpenTransport extends AsyncDisposable {
  place(create: (where: Where) => Mock): Promise<Place>;
}

/** How a request reaches a mock: the handlers of msw in this process, or a server on a free port. */
export type Transport = 'msw' | 'HTTP';

/** What the documents of APIs have; the tests of a file share its validators, which take long to compile. */
const inspectors = new WeakMap<Apis, Inspect>();

const inspectorOf = (apis: Apis): Inspect => {
  const known = inspectors.get(apis);
  if (known !== undefined) return known;
  const securitySchemes = {
    custom: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    signature: { type: 'apiKey', in: 'header', name: 'X-Signature' },
  };
  const list = 'collections' in apis ? [apis] : apis;
  const made = documentInspector(...list.map((api) => toOpenApi(api, { securitySchemes })));
  inspectors.set(apis, made);
  return made;
};

/** Requests that still meet a fault of `next`. */
const waitingIn = ({ faults }: Mock): number => faults.waiting.reduce((sum, { times = 1 }) => sum + times, 0);

/** A mock whose exchanges are compared with the document of the API, except those with an injected fault. */
const inspected = (mock: Mock, apis: Apis, problems: string[]): Mock => {
  const inspect = inspectorOf(apis);
  const isOfTokens = ({ url }: { readonly url: string }): boolean => new URL(url).pathname === '/auth/token';
  const respond: Mock['respond'] = async (request) => {
    const { method, url, headers } = request;
    const copy = request.clone();
    const waiting = waitingIn(mock);
    const response = await mock.respond(request);
    const sent = { method, url, headers, text: () => copy.text() };
    const isInspected = waiting === waitingIn(mock) && !isOfTokens(request);
    if (isInspected) problems.push(...(await inspect(sent, response.clone())));
    return response;
  };
  return { ...mock, respond };
};

const openMsw = (apis: Apis, problems: string[]): OpenTransport => {
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
      const mock = inspected(create(where), apis, problems);
      server.use(...handlers(mock));
      return { mock, url: where.baseUrl, authUrl: where.authUrl };
    },
    [Symbol.asyncDispose]: async () => server.close(),
  };
};

const openHttp = (apis: Apis, problems: string[]): OpenTransport => {
  const servers: MockServer[] = [];
  return {
    place: async (create) => {
      const mock = inspected(create({}), apis, problems);
      const server = await serve(mock);
      servers.push(server);
      return { mock, url: server.url, authUrl: server.url };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};

/** Opens a transport. Closing it throws for an exchange that the document of the APIs does not have. */
export const openTransport = (transport: Transport, apis: Apis): OpenTransport => {
  const problems: string[] = [];
  const open = transport === 'msw' ? openMsw(apis, problems) : openHttp(apis, problems);
  return {
    place: open.place,
    [Symbol.asyncDispose]: async () => {
      await open[Symbol.asyncDispose]();
      if (problems.length > 0)
        throw new Error(`The OpenAPI document of the API does not have: ${problems.join('; ')}`);
    },
  };
};
