import { existsSync } from 'node:fs';
import {
  type ApiDeclaration,
  type AuthScheme,
  basicAuth,
  type Client,
  createClient,
  ReauthenticationRequiredError,
  tokenAuth,
} from '../index.ts';
import { type Arguments, isSet } from './arguments.ts';
import { environmentCredentials, readCredentials } from './credentials.ts';
import type { Io } from './io.ts';
import { type KeptLogin, type Logins, openLogins } from './logins.ts';
import { observersOf } from './observers.ts';
import { authUrlOf, baseUrlOf, requiredAuthUrlOf, takes } from './settings.ts';
import { storePathOf } from './store-path.ts';
import { UsageError } from './usage-error.ts';

/** A client, and what is to be closed behind it. */
export interface Connected {
  readonly client: Client;
  close(): void;
}

interface Schemes {
  readonly schemes: Readonly<Record<string, AuthScheme>>;
  close(): void;
}

const nothing = (): void => undefined;

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

/** The login that `restkin login` kept, unless the environment says who somebody is. */
const findKept = async (authUrl: string, args: Arguments, io: Io): Promise<Schemes | undefined> => {
  const { username, password } = environmentCredentials(io);
  const path = storePathOf(args, io);
  if (password !== undefined || !existsSync(path)) return undefined;
  const logins = await openLogins(path, io);
  const close = (): void => logins.close();
  const login = await logins.find(authUrl);
  if (login !== undefined && (username ?? login.username) === login.username) {
    return { schemes: { token: keptScheme(authUrl, login, logins) }, close };
  }
  close();
  return undefined;
};

const schemesOf = async (api: ApiDeclaration, args: Arguments, io: Io): Promise<Schemes> => {
  const [token, basic] = [takes(api, 'token'), takes(api, 'basic')];
  if (!token && !basic) {
    throw new UsageError(
      `The API ${api.name} has a style of authentication of its own; the command knows token and basic`,
    );
  }
  const authUrl = token && !basic ? requiredAuthUrlOf(args, io) : authUrlOf(args, io);
  if (token && authUrl !== undefined) {
    const kept = await findKept(authUrl, args, io);
    if (kept !== undefined) return kept;
  }
  const credentials = await readCredentials(io, token ? ', or run "restkin login" on a terminal' : '');
  return {
    schemes: {
      ...(token && authUrl !== undefined ? { token: tokenAuth({ authUrl, ...credentials }) } : {}),
      ...(basic ? { basic: basicAuth(credentials) } : {}),
    },
    close: nothing,
  };
};

/**
 * Makes a client for an API of the arguments and the environment. A login that is kept is used without a password; a
 * password of the environment is used without a trace on the disk.
 */
export const connect = async (api: ApiDeclaration, args: Arguments, io: Io): Promise<Connected> => {
  const baseUrl = baseUrlOf(args, io);
  const { schemes, close } = await schemesOf(api, args, io);
  const on = isSet(args, 'verbose') ? observersOf(io) : {};
  const allowInsecure = isSet(args, 'allow-insecure');
  return { client: createClient({ baseUrl, auth: schemes, on, allowInsecure }), close };
};
