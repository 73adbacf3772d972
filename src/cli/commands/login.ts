import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Credentials, TokenStore } from '../../index.ts';
import { loadApi } from '../api-file.ts';
import { common, requiredAuthUrlOf, type Settings, storePathOf, takes } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { observersOf } from '../progress.ts';

const noApi = 'https://api.invalid';

/**
 * Logs in with the password, whatever the store holds. The tokens are kept in memory at first, so that a wrong password does
 * not end a kept login. Only the token endpoint is called: `fetch` responds itself to the request that needs the token.
 */
const requestTokens = async (authUrl: string, credentials: Credentials, settings: Settings, io: Io) => {
  const { createClient, memoryStore, tokenAuth } = await import('../../index.ts');
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
    allowInsecure: settings.allowInsecure ?? false,
    fetch: async (input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input);
      return origin === noApi ? Response.json(null) : fetch(input, init);
    },
    on: settings.verbose ? { token: observersOf(io).token ?? (() => undefined) } : {},
  });
  await client.request({ method: 'GET', path: 'login', signal: io.signal });
  const stored = await memory.read(chain);
  if (stored === undefined) throw new Error('The token was not kept');
  return { chain, record: stored.record };
};

const notes = `
Username and password are RESTKIN_USERNAME and RESTKIN_PASSWORD, or are asked for on the
terminal. The password is not kept. The tokens are kept, one login for each token endpoint,
in a file that only you can read:
  Linux    $XDG_STATE_HOME/restkin/tokens.db or ~/.local/state/restkin/tokens.db
  macOS    ~/Library/Application Support/restkin/tokens.db
  Windows  %LOCALAPPDATA%\\restkin\\tokens.db`;

const logIn = async (file: string, options: Settings & { readonly api?: string | undefined }, io: Io) => {
  const api = await loadApi(file, options.api, io.signal);
  if (!takes(api, 'token')) {
    throw new UsageError(
      `The API ${api.name} takes no tokens, so there is no login to keep: set RESTKIN_USERNAME and RESTKIN_PASSWORD`,
    );
  }
  const authUrl = requiredAuthUrlOf(options, io);
  const path = storePathOf(options, io);
  const { openLogins } = await import('../logins.ts');
  const { readCredentials } = await import('../session.ts');
  const logins = await openLogins(path, io);
  try {
    // An unusable store is refused before a password is typed.
    await logins.find(authUrl);
    const credentials = await readCredentials(io, '');
    const { username } = credentials;
    const { chain, record } = await requestTokens(authUrl, credentials, options, io);
    await logins.keep(authUrl, { username, chain }, record);
    // The default folder becomes private, even if it existed. The folder of --store keeps its mode.
    if (options.store === undefined) chmodSync(dirname(path), 0o700);
    await io.out.write(`Logged in as ${username} at ${authUrl}; the tokens are in ${path}\n`);
  } finally {
    logins.close();
  }
};

export const loginCommand = (io: Io) =>
  new Command('login')
    .description('Log in and keep the tokens, so that "get" needs no password')
    .argument('<api-file>')
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(common.store)
    .addOption(common.allowInsecure)
    .addOption(common.verbose)
    .addHelpText('after', notes)
    .action((file, options) => logIn(file, options, io));

export const logoutCommand = (io: Io) =>
  new Command('logout')
    .description('Remove a login from this machine')
    .argument('<api-file>')
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(common.store)
    .addHelpText(
      'after',
      '\nThe tokens stay valid on the server until they expire; there is no way to revoke them.',
    )
    .action(async (file, options) => {
      await loadApi(file, options.api, io.signal);
      const authUrl = requiredAuthUrlOf(options, io);
      const { openLogins } = await import('../logins.ts');
      const logins = await openLogins(storePathOf(options, io), io);
      try {
        const login = await logins.forget(authUrl);
        await io.out.write(
          login === undefined
            ? `There is no login at ${authUrl}\n`
            : `The login of ${login.username} at ${authUrl} is removed from this machine.\n` +
                'The conventions have no way to revoke tokens: they stay valid on the server until they expire.\n',
        );
      } finally {
        logins.close();
      }
    });
