import type { Duration, Fault } from 'restkin/mocks';
import { json, record } from '../support/recording-server.ts';
import type { StageOptions } from './stage.ts';
import { openServers, type StageServers } from './stage-servers.ts';

/** The server that cases talk to about their mock, and that a browser loads the page from. */
export interface Control extends AsyncDisposable {
  readonly url: string;
}

const html =
  '<!doctype html><meta charset="utf-8"><title>restkin</title><script type="module" src="page.js"></script>';

/**
 * Starts the control server on a free port of this machine. Only cases of the same tree ask it: what they
 * send is what the types of a stage say.
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

  const server = await record(async ({ method, url, body }) => {
    if (method === 'POST')
      return act(url, JSON.parse(body)).then(json, (error) => ({ status: 500, body: String(error) }));
    const [type, text] = url === '/page.js' ? ['text/javascript', script] : ['text/html', html];
    return { headers: { 'content-type': type }, body: text };
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...stages.values()].map((servers) => servers[Symbol.asyncDispose]()));
      await server.close();
    },
  };
};
