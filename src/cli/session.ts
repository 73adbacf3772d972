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
import { readCredentials } from './credentials.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { type KeptLogin, type Logins, openLogins } from './logins.ts';
import { observersOf } from './progress.ts';
import {
  authUrlOf,
  baseUrlOf,
  environmentCredentials,
  requiredAuthUrlOf,
  type Settings,
  storePathOf,
  takes,
} from './settings.ts';

/** A client, and what is closed after its use. */
export interface Session {
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

/** The login that `restkin login` kept, unless the environment has a password or names another user. */
const findKept = async (authUrl: string, settings: Settings, io: Io): Promise<Schemes | undefined> => {
  const { username, password } = environmentCredentials(io);
  const path = storePathOf(settings, io);
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

const schemesOf = async (api: ApiDeclaration, settings: Settings, io: Io): Promise<Schemes> => {
  const [token, basic] = [takes(api, 'token'), takes(api, 'basic')];
  if (!token && !basic) {
    throw new UsageError(
      `The API ${api.name} has an authentication scheme of its own; the command supports token and basic`,
    );
  }
  const authUrl = token && !basic ? requiredAuthUrlOf(settings, io) : authUrlOf(settings, io);
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
    close: nothing,
  };
};

/**
 * Creates a client of an API from the options and the environment. A kept login is used without a password. A password
 * of the environment leaves nothing on the disk.
 */
export const openSession = async (api: ApiDeclaration, settings: Settings, io: Io): Promise<Session> => {
  const baseUrl = baseUrlOf(settings, io);
  const { schemes, close } = await schemesOf(api, settings, io);
  const on = settings.verbose ? observersOf(io) : {};
  const allowInsecure = settings.allowInsecure ?? false;
  return { client: createClient({ baseUrl, auth: schemes, on, allowInsecure }), close };
};
