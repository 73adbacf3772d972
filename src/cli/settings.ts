import type { ApiDeclaration } from '../index.ts';
import { type Arguments, settingOf } from './arguments.ts';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

const readUrl = (args: Arguments, { env }: Io, name: string, variable: string): string | undefined => {
  const value = settingOf(args, env, name, variable);
  // The value is not shown: a URL may hold a password.
  if (value !== undefined && !URL.canParse(value)) {
    throw new UsageError(`--${name} (or ${variable}) is not an absolute URL`);
  }
  return value;
};

/** @throws {@link UsageError} when there is none */
export const baseUrlOf = (args: Arguments, io: Io): string => {
  const value = readUrl(args, io, 'base-url', 'RESTKIN_BASE_URL');
  if (value === undefined) {
    throw new UsageError(
      'It is not known where the API lives: give --base-url=<url>, or set RESTKIN_BASE_URL',
    );
  }
  return value;
};

/** Where the token endpoint lives; undefined when nothing says so. One login has one spelling of it. */
export const authUrlOf = (args: Arguments, io: Io): string | undefined => {
  const value = readUrl(args, io, 'auth-url', 'RESTKIN_AUTH_URL');
  if (value === undefined) return undefined;
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href.replace(/\/$/, '');
};

/** @throws {@link UsageError} when there is none */
export const requiredAuthUrlOf = (args: Arguments, io: Io): string => {
  const value = authUrlOf(args, io);
  if (value !== undefined) return value;
  throw new UsageError(
    'It is not known where the token endpoint lives: give --auth-url=<url>, or set RESTKIN_AUTH_URL',
  );
};

/** Whether an API takes a scheme (§5). */
export const takes = ({ auth }: ApiDeclaration, scheme: 'token' | 'basic'): boolean =>
  typeof auth === 'string' ? auth === scheme : auth.includes(scheme);
