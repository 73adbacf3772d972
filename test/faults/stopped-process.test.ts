import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTokenServer } from './token-server.ts';

const source = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);

/** A login without a password, whose token is renewed with each of its calls but the first. */
const script = (url: string, tokens: object): string => `
  const { createClient, tokenAuth } = await import(${source});
  const auth = tokenAuth({ authUrl: '${url}', tokens: ${JSON.stringify(tokens)}, timeoutMs: 400 });
  const client = createClient({ baseUrl: '${url}', auth, retry: false });
  for (let call = 0; call < 7; call++)
    await client.request({ method: 'GET', path: 'v1/things' }).catch((error) => console.log(error.message));
`;

/** Longer than the time limit of the token request. */
const stop = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGSTOP');
  await setTimeout(900);
  child.kill('SIGCONT');
};

test.runIf(process.platform === 'linux')(
  'a process that is stopped during a token request uses the response that arrived meanwhile',
  { timeout: 60_000 },
  async () => {
    let child: ChildProcess | undefined;
    await using server = await startTokenServer({
      usesPerWorker: 1,
      behave: () => {
        if (child !== undefined) void stop(child);
        return undefined;
      },
    });
    const program = script(server.url, server.login());
    const running = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    child = running;
    expect(await text(running.stdout)).toBe('');
    expect(server.granted).toEqual({ password: 0, refresh_token: 6 });
  },
);
