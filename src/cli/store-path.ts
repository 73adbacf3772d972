import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type Arguments, textOf } from './arguments.ts';
import type { Io } from './io.ts';

const stateFolder = (env: Io['env']): string => {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  const home = env.HOME || homedir();
  // The specification: a path that is not absolute is to be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (process.platform === 'win32') return local || join(home, 'AppData', 'Local');
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support')
    : join(home, '.local', 'state');
};

/**
 * The file that keeps logins: the one of `--store`, or `restkin/tokens.db` in the user's folder for state.
 *
 * @see XDG Base Directory Specification
 */
export const storePathOf = (args: Arguments, { env }: Io): string =>
  textOf(args, 'store') ?? join(stateFolder(env), 'restkin', 'tokens.db');
