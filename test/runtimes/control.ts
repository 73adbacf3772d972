import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duration, Fault } from 'restkin/mocks';
import { listenAnywhere } from './listen.ts';
import type { StageOptions } from './stage.ts';
import { openServers, type StageServers } from './stage-servers.ts';

/** The server that cases talk to about their mock, and that a browser loads the page from. */
export interface Control extends AsyncDisposable {
  readonly url: string;
}

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
};

const page =
  '<!doctype html><meta charset="utf-8"><title>restkin</title><script type="module" src="page.js"></script>';

/**
 * Starts the control server on a free port of this machine. Only cases of the same tree ask it: what they send is what
 * the types of a stage say.
 *
 * @param script - of the page
 */
export const startControl = async (script: string): Promise<Control> => {
  const stages = new Map<string, StageServers>();
  let count = 0;

  const act = async (path: string, body: unknown): Promise<unknown> => {
    const [, , id = '', action] = path.split('/');
    if (id === '') {
      const servers = await openServers(body as StageOptions);
      stages.set(String(++count), servers);
      return { id: count, ...servers.urls };
    }
    const servers = stages.get(id);
    if (servers === undefined) throw new Error(`There is no stage ${id}`);
    if (action === 'seen') return servers.seen();
    if (action === 'fault') servers.fault(body as Fault);
    else if (action === 'advance') servers.advance(body as Duration);
    else if (action === 'end') {
      stages.delete(id);
      await servers[Symbol.asyncDispose]();
    } else throw new Error(`A stage cannot ${action}`);
    return {};
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '/' } = request;
    if (method === 'POST') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(await act(url, await readJson(request))));
    } else if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end(page);
  };

  const server = await listenAnywhere(
    createServer((request, response) => {
      answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    }),
  );
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...stages.values()].map((servers) => servers[Symbol.asyncDispose]()));
      await server[Symbol.asyncDispose]();
    },
  };
};
