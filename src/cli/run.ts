import { createRequire } from 'node:module';
import type { Command } from './command.ts';
import { describeError } from './describe-error.ts';
import { exitCode, toExitCode } from './exit-code.ts';
import { get } from './get.ts';
import { formatCommandHelp, formatHelp } from './help.ts';
import type { Io } from './io.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { mock } from './mock.ts';
import { nearest } from './nearest.ts';
import { parseCommand } from './parse-command.ts';
import { Stopped } from './stopped.ts';
import { UsageError } from './usage-error.ts';

const commands: readonly Command[] = [get, mock, login, logout];

const versionOf = (): string => {
  // By its own name, which is the same place from the source and from the build.
  const { version } = createRequire(import.meta.url)('restkin/package.json') as { readonly version: string };
  return version;
};

const find = (name: string): Command => {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  const meant = nearest(name, names);
  throw new UsageError(
    meant === undefined
      ? `There is no such command; there are ${names.join(', ')}`
      : `There is no such command; did you mean ${meant}?`,
  );
};

const asksFor = (option: string, args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).includes(option);
};

const dispatch = async (argv: readonly string[], io: Io): Promise<void> => {
  const [name, ...rest] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  if (name === undefined) throw new UsageError('No command is given; see restkin --help');
  if (name === '--version') return io.out.write(`${versionOf()}\n`);
  if (name === '--help' || name === '-h') return io.out.write(formatHelp(commands));
  const command = find(name);
  if (asksFor('--help', rest) || asksFor('-h', rest)) return io.out.write(formatCommandHelp(command));
  if (asksFor('--version', rest)) return io.out.write(`${versionOf()}\n`);
  return command.run(parseCommand(command, rest), io);
};

/**
 * Runs the command of the arguments.
 *
 * @param argv - without the runtime and the script
 * @returns the {@link exitCode}; never rejects
 */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  try {
    await dispatch(argv, io);
    await io.out.flush();
    return exitCode.ok;
  } catch (error) {
    // However the abort came out: what counts is who ended the command.
    const reason: unknown = io.signal.aborted ? io.signal.reason : error;
    // What was written of a list stands; what reads it sees by the exit code that there is more.
    await io.out.flush().catch(() => undefined);
    if (!(reason instanceof Stopped)) {
      await io.err
        .write(describeError(reason))
        .then(io.err.flush)
        .catch(() => undefined);
    }
    return toExitCode(reason);
  }
};
