import { Command } from '@commander-js/extra-typings';
import { common } from '../arguments.ts';
import type { Io } from '../io.ts';
import { loadApi } from '../load-api.ts';
import { requiredAuthUrlOf, storePathOf } from '../settings.ts';

/** Removes a login from the store. */
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
      await loadApi(file, options.api);
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
