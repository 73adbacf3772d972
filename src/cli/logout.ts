import { type Arguments, textOf } from './arguments.ts';
import { type Command, commonOptions } from './command.ts';
import type { Io } from './io.ts';
import { loadApi } from './load-api.ts';
import { openLogins } from './logins.ts';
import { requiredAuthUrlOf } from './settings.ts';
import { storePathOf } from './store-path.ts';

const forget = async (authUrl: string, path: string, io: Io) => {
  const logins = await openLogins(path, io);
  try {
    return await logins.forget(authUrl);
  } finally {
    logins.close();
  }
};

const run = async (args: Arguments, io: Io): Promise<void> => {
  await loadApi(args.positionals[0] ?? '', textOf(args, 'api'));
  const authUrl = requiredAuthUrlOf(args, io);
  const login = await forget(authUrl, storePathOf(args, io), io);
  await io.out.write(
    login === undefined
      ? `There is no login at ${authUrl}\n`
      : `The login of ${login.username} at ${authUrl} is removed from this machine.\n` +
          'The conventions have no way to revoke tokens: they stay valid on the server until they expire.\n',
  );
};

/** Takes a login out of the store. */
export const logout: Command = {
  name: 'logout',
  summary: 'Remove a login from this machine',
  positionals: ['api file'],
  options: { 'auth-url': commonOptions.authUrl, api: commonOptions.api, store: commonOptions.store },
  notes: ['The tokens stay valid on the server until they expire; there is no way to revoke them.'],
  run,
};
