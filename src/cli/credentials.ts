import { type Credentials, ReauthenticationRequiredError } from '../index.ts';
import type { Io } from './io.ts';
import { canAsk, openPrompt } from './prompt.ts';
import { environmentCredentials } from './settings.ts';

/**
 * The credentials of the environment. Missing ones are asked for on a terminal, the password without an echo.
 *
 * @param advice - ends the message when there is no terminal
 * @throws {@link ReauthenticationRequiredError} when credentials are missing and there is no terminal
 */
export const readCredentials = async (io: Io, advice: string): Promise<Credentials> => {
  const known = environmentCredentials(io);
  if (known.username !== undefined && known.password !== undefined) {
    return { username: known.username, password: known.password };
  }
  if (!canAsk(io)) {
    throw new ReauthenticationRequiredError(
      `Credentials are missing: set RESTKIN_USERNAME and RESTKIN_PASSWORD${advice}`,
    );
  }
  const prompt = openPrompt(io);
  try {
    const username = known.username ?? (await prompt.ask('Username: '));
    return { username, password: known.password ?? (await prompt.ask(`Password of ${username}: `, true)) };
  } finally {
    prompt.close();
  }
};
