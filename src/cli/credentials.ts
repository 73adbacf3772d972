import { type Credentials, ReauthenticationRequiredError } from '../index.ts';
import type { Io } from './io.ts';
import { canAsk, openPrompt } from './prompt.ts';

/** What of the credentials the environment has; an empty variable is none. */
export const environmentCredentials = ({ env }: Io): Partial<Credentials> => ({
  ...(env.RESTKIN_USERNAME ? { username: env.RESTKIN_USERNAME } : {}),
  ...(env.RESTKIN_PASSWORD ? { password: env.RESTKIN_PASSWORD } : {}),
});

/**
 * The credentials of the environment. What is missing there is asked for on a terminal, the password without an echo.
 *
 * @param advice - what else can be done where there is no terminal
 * @throws {@link ReauthenticationRequiredError} when something is missing and nobody can be asked
 */
export const readCredentials = async (io: Io, advice: string): Promise<Credentials> => {
  const known = environmentCredentials(io);
  if (known.username !== undefined && known.password !== undefined) {
    return { username: known.username, password: known.password };
  }
  if (!canAsk(io)) {
    throw new ReauthenticationRequiredError(
      `There are no credentials: set RESTKIN_USERNAME and RESTKIN_PASSWORD${advice}`,
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
