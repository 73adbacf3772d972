import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import {
  type ApiDeclaration,
  type AuthScheme,
  basicAuth,
  type Client,
  type Credentials,
  createClient,
  ReauthenticationRequiredError,
  tokenAuth,
} from '../index.ts';
import {
  authenticationOf,
  environmentCredentials,
  requiredBaseUrlOf,
  type Settings,
  storePathOf,
} from './arguments.ts';
import { stoppedBy } from './errors.ts';
import type { Io } from './io.ts';
import { type KeptLogin, type Logins, openLogins } from './logins.ts';
import { observersOf } from './progress.ts';

/** True on a terminal. Questions go to stderr, because stdout is for data. */
const canAsk = ({ input, err }: Io): boolean => input.isTTY === true && err.isTerminal;

/**
 * Opens the terminal for questions. They share one interface, so that a line that is pasted early is the reply to the next one.
 *
 * Ctrl-C ends the command, as SIGINT does elsewhere. The end of the input is an empty reply.
 */
const openPrompt = ({ input, err, signal }: Io) => {
  let hidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // The echo of a password is dropped.
      if (!hidden) err.say(chunk.toString());
      // Completes at once, so that each chunk is shown or dropped by the value of `hidden` at the time of its write.
      done();
    },
  });
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const replies = lines[Symbol.asyncIterator]();
  // Lines that no question has taken.
  let ahead = 0;
  lines.on('line', () => {
    // The line after this one, when both are pasted together, can be the password.
    hidden = true;
    ahead += 1;
  });
  lines.once('close', () => {
    // Every further question gets an empty reply at once.
    ahead = Number.POSITIVE_INFINITY;
  });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    lines.once('SIGINT', () => reject(stoppedBy('SIGINT')));
  });
  return {
    ask: async (question: string, isHidden = false): Promise<string> => {
      hidden = isHidden || ahead > 0;
      // Not through `lines`, which would show the part of the reply that is already typed.
      err.say(isHidden || ahead === 0 ? question : `${question}\n`);
      lines.setPrompt(isHidden ? '' : question);
      try {
        const { value = '' } = await Promise.race([replies.next(), stopped]);
        ahead -= 1;
        return value;
      } finally {
        // The Enter of a hidden reply is not echoed.
        if (isHidden) await err.write('\n');
      }
    },
    close: (): void => lines.close(),
  };
};

/**
 * The credentials of the environment. Missing ones are asked for on a terminal, the password without an echo.
 *
 * @param advice - ends the message when there is no terminal
 * @throws {@link ReauthenticationRequiredError} when credentials are missing and there is no terminal
 */
export const readCredentials = async (io: Io, advice: string): Promise<Credentials> => {
  const { username: known, password } = environmentCredentials(io);
  if (known !== undefined && password !== undefined) return { username: known, password };
  if (!canAsk(io)) {
    throw new ReauthenticationRequiredError(
      `Credentials are missing: set RESTKIN_USERNAME and RESTKIN_PASSWORD${advice}`,
    );
  }
  const prompt = openPrompt(io);
  try {
    const username = known ?? (await prompt.ask('Username: '));
    return { username, password: password ?? (await prompt.ask(`Password of ${username}: `, true)) };
  } finally {
    prompt.close();
  }
};

interface Schemes {
  readonly schemes: Readonly<Record<string, AuthScheme>>;
  close(): Promise<void>;
}

const keptScheme = (authUrl: string, { username }: KeptLogin, logins: Logins): AuthScheme =>
  tokenAuth({
    authUrl,
    username,
    store: logins.store,
    credentials: () => {
      throw new ReauthenticationRequiredError(
        `The login of ${username} has ended: log in again with "restkin login"`,
      );
    },
  });

/** The login that `restkin login` kept, unless the environment has a password or names another user. */
const findKept = async (authUrl: string, settings: Settings, io: Io): Promise<Schemes | undefined> => {
  const { username, password } = environmentCredentials(io);
  const path = storePathOf(settings, io);
  if (password !== undefined || !existsSync(path)) return undefined;
  const logins = await openLogins(path, io);
  const login = await logins.find(authUrl);
  if (login === undefined || (username ?? login.username) !== login.username) {
    logins.close();
    return undefined;
  }
  const close = async (): Promise<void> => logins.close();
  return { schemes: { token: keptScheme(authUrl, login, logins) }, close };
};

const schemesOf = async (api: ApiDeclaration, settings: Settings, io: Io): Promise<Schemes> => {
  const advice = 'the command supports token and basic';
  const { token, basic, authUrl } = authenticationOf(api, settings, io, advice);
  if (token && authUrl !== undefined) {
    const kept = await findKept(authUrl, settings, io);
    if (kept !== undefined) return kept;
  }
  const credentials = await readCredentials(io, token ? ', or run "restkin login" on a terminal' : '');
  return {
    schemes: {
      ...(token && authUrl !== undefined ? { token: tokenAuth({ authUrl, ...credentials }) } : {}),
      ...(basic ? { basic: basicAuth(credentials) } : {}),
    },
    close: async () => undefined,
  };
};

/**
 * Calls `use` with a client of an API, configured by the options and the environment. A kept login needs no password. A
 * password in the environment leaves nothing on the disk.
 */
export const withClient = async (
  api: ApiDeclaration,
  settings: Settings,
  io: Io,
  use: (client: Client) => Promise<void>,
): Promise<void> => {
  const baseUrl = requiredBaseUrlOf(settings, io);
  const { schemes, close } = await schemesOf(api, settings, io);
  const on = settings.verbose ? observersOf(io) : {};
  const allowInsecure = settings.allowInsecure ?? false;
  try {
    await use(createClient({ baseUrl, auth: schemes, on, allowInsecure }));
  } finally {
    await close();
  }
};
