import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Credentials, createClient, memoryStore, type TokenStore, tokenAuth } from '../index.ts';
import { type Arguments, isSet, textOf } from './arguments.ts';
import { type Command, commonOptions } from './command.ts';
import { readCredentials } from './credentials.ts';
import type { Io } from './io.ts';
import { loadApi } from './load-api.ts';
import { openLogins } from './logins.ts';
import { observersOf } from './observers.ts';
import { requiredAuthUrlOf, takes } from './settings.ts';
import { storePathOf } from './store-path.ts';
import { UsageError } from './usage-error.ts';

interface Tokens {
  readonly chain: string;
  readonly record: string;
}

const noApi = 'https://api.invalid';

/**
 * Logs in with the password, whatever the store has: in a store of its own, so that a wrong password does no harm to a
 * login that is there. The token endpoint alone is asked; the request that needs the token gets its answer here.
 */
const requestTokens = async (
  authUrl: string,
  credentials: Credentials,
  args: Arguments,
  io: Io,
): Promise<Tokens> => {
  const memory = memoryStore();
  let chain = '';
  const store: TokenStore = {
    read: memory.read,
    swap: (name, version, record) => {
      chain = name;
      return memory.swap(name, version, record);
    },
  };
  const client = createClient({
    baseUrl: noApi,
    auth: tokenAuth({ authUrl, ...credentials, store }),
    allowInsecure: isSet(args, 'allow-insecure'),
    fetch: async (input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input);
      return origin === noApi ? Response.json(null) : fetch(input, init);
    },
    on: isSet(args, 'verbose') ? { token: observersOf(io).token ?? (() => undefined) } : {},
  });
  await client.request({ method: 'GET', path: 'login', signal: io.signal });
  const stored = await memory.read(chain);
  if (stored === undefined) throw new Error('The token was not kept');
  return { chain, record: stored.record };
};

const run = async (args: Arguments, io: Io): Promise<void> => {
  const api = await loadApi(args.positionals[0] ?? '', textOf(args, 'api'));
  if (!takes(api, 'token')) {
    throw new UsageError(
      `The API ${api.name} takes no tokens, so there is no login to keep: set RESTKIN_USERNAME and RESTKIN_PASSWORD`,
    );
  }
  const authUrl = requiredAuthUrlOf(args, io);
  const path = storePathOf(args, io);
  const logins = await openLogins(path, io);
  let credentials: Credentials;
  try {
    // A store that cannot be used is refused before anybody types a password.
    await logins.find(authUrl);
    credentials = await readCredentials(io, '');
    const { chain, record } = await requestTokens(authUrl, credentials, args, io);
    await logins.keep(authUrl, { username: credentials.username, chain }, record);
  } finally {
    logins.close();
  }
  // A folder of our own is for nobody else, also one that was there before; another's keeps its mode.
  if (textOf(args, 'store') === undefined) chmodSync(dirname(path), 0o700);
  await io.out.write(`Logged in as ${credentials.username} at ${authUrl}; the tokens are in ${path}\n`);
};

/** Logs in, and keeps the tokens for later calls. */
export const login: Command = {
  name: 'login',
  summary: 'Log in and keep the tokens, so that "get" needs no password',
  positionals: ['api file'],
  options: {
    'auth-url': commonOptions.authUrl,
    api: commonOptions.api,
    store: commonOptions.store,
    'allow-insecure': commonOptions.allowInsecure,
    verbose: commonOptions.verbose,
  },
  notes: [
    'Username and password are asked for on the terminal, or are RESTKIN_USERNAME and',
    'RESTKIN_PASSWORD. The password is not kept. The tokens are, one login for each token',
    'endpoint, in a file that only you can read:',
    '$XDG_STATE_HOME/restkin/tokens.db or ~/.local/state/restkin/tokens.db on Linux,',
    '~/Library/Application Support/restkin on macOS, %LOCALAPPDATA%\\restkin on Windows.',
  ],
  run,
};
