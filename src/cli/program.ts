import { createRequire } from 'node:module';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { suggest } from './arguments.ts';
import { doctorCommand } from './commands/doctor.ts';
import { getCommand } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { mockCommand } from './commands/mock.ts';
import { openapiCommand } from './commands/openapi.ts';
import { Stopped, UsageError } from './errors.ts';
import type { Io } from './io.ts';

const notes = `
Environment:
  RESTKIN_BASE_URL, RESTKIN_AUTH_URL  where the API and its token endpoint live
  RESTKIN_USERNAME, RESTKIN_PASSWORD  credentials; they are never arguments

Examples:
  restkin get ./api.ts orders --sort=-createdAt --fields=status --expand=company --limit=500
  restkin get ./api.ts companies/3/orders --page=2 --per-page=50 --output=csv
  restkin get ./api.ts orders/7
  restkin login ./api.ts --auth-url=https://auth.example.com
  restkin mock ./api.ts --port 4010 --generate 500
  restkin openapi ./api.ts --output=openapi.json
  restkin import openapi.json --out ordering.ts
  restkin doctor ./api.ts --base-url=https://api.example.com --auth-url=https://auth.example.com

Exit codes:
   0  done
   1  any other failure; for doctor, the server breaks a rule
   2  wrong arguments, an unusable API file or store, a query that the API does not declare
   3  authentication: 401, wrong password, no credentials, a login that has ended
   4  forbidden: 403
   5  not found: 404
   6  the request was refused: 400 and every other 4xx
   7  rate limit: 429
   8  server error: 500, 503
   9  no connection, or no complete response in time
  10  a response that the conventions or the declaration do not allow
 129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM
 141  the reader of the output is gone (SIGPIPE)`;

const createProgram = (io: Io) => {
  // The package is found by its own name, which works from the source and from the build.
  const { version } = createRequire(import.meta.url)('restkin/package.json') as { readonly version: string };
  const program = new Command('restkin')
    .description(
      'Reads an API from the command line, and serves a mock of it. The API file exports what defineApi returns. ' +
        'TypeScript files run as they are on Node 22.18 and newer, Bun and Deno.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', notes)
    .exitOverride()
    .configureOutput({
      writeOut: io.out.say,
      // Errors are thrown, and reported by the caller.
      writeErr: () => undefined,
      getOutHelpWidth: () => io.out.columns ?? 100,
      getOutHasColors: () => false,
    });
  for (const create of [
    getCommand,
    mockCommand,
    openapiCommand,
    importCommand,
    doctorCommand,
    loginCommand,
    logoutCommand,
  ]) {
    const command = create(io);
    program.addCommand(command.copyInheritedSettings(program));
  }
  return program;
};

const credentialOptions = ['username', 'user', 'password', 'pass', 'token'] as const;

const refuseOption = (flag: string, usage: string, known: readonly string[]): UsageError => {
  const option = flag.replace(/^--?/, '');
  if (known.includes(option)) return new UsageError(`${flag} takes no value`);
  const meant = suggest(option, [...known, ...credentialOptions]);
  if (credentialOptions.some((credential) => credential === meant)) {
    return new UsageError(
      `--${meant} is not an option: arguments are visible to every process of this machine and stay in the shell's ` +
        'history. Set RESTKIN_USERNAME and RESTKIN_PASSWORD, or run "restkin login" on a terminal',
    );
  }
  const advice = meant === undefined ? `see ${usage} --help` : `did you mean --${meant}?`;
  return new UsageError(`${flag} is not an option of ${usage}; ${advice}`);
};

const refuseCommand = (name: string, known: readonly string[]): UsageError => {
  const meant = suggest(name, known);
  const advice = meant === undefined ? `the commands are ${known.join(', ')}` : `did you mean ${meant}?`;
  return new UsageError(`Unknown command; ${advice}`);
};

/** Reports what commander refused, without the arguments that it quotes: one of them may be a password. */
const toUsageError = ({ code, message }: CommanderError, program: Command): UsageError => {
  const [first = '', second = ''] = program.args;
  const commands = program.commands.map((one) => one.name());
  const command = program.commands.find((one) => one.name() === first);
  const usage = command === undefined ? 'restkin' : `restkin ${first}`;
  const [, flag = ''] = /'(--[^\s=']*|-[^\s'])/.exec(message) ?? [];
  switch (code) {
    case 'commander.help':
      return first === 'help'
        ? refuseCommand(second, commands)
        : new UsageError('No command is given; see restkin --help');
    case 'commander.unknownCommand':
      return refuseCommand(first, commands);
    case 'commander.unknownOption': {
      const options = (command ?? program).options.map((option) => option.name());
      return refuseOption(flag, usage, [...options, 'help', 'version']);
    }
    case 'commander.optionMissingArgument':
      return new UsageError(`${flag} needs a value`);
    case 'commander.excessArguments':
      return new UsageError(`Too many arguments; see ${usage} --help`);
    default:
      // The message about a missing argument, which quotes no argument.
      return new UsageError(`${message.replace('error: m', 'M')}; see ${usage} --help`);
  }
};

const parse = async (argv: readonly string[], io: Io): Promise<void> => {
  const program = createProgram(io);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // commander throws for --help and --version, too.
    if (error.exitCode !== 0) throw toUsageError(error, program);
  }
};

/**
 * Runs the command line.
 *
 * @param argv - without the runtime and the script
 * @returns the exit code; never rejects
 */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  try {
    await parse(argv, io);
    await io.out.flush();
    return 0;
  } catch (error) {
    // After an abort any error can surface. The reason of the signal says what ended the command.
    const reason: unknown = io.signal.aborted ? io.signal.reason : error;
    // The part of a list that was written stays. The exit code tells its reader that it is incomplete.
    await io.out.flush().catch(() => undefined);
    const { describeError, toExitCode } = await import('./failure.ts');
    if (!(reason instanceof Stopped)) io.err.say(describeError(reason));
    return toExitCode(reason);
  } finally {
    await io.err.flush().catch(() => undefined);
  }
};
