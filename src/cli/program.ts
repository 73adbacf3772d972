import { createRequire } from 'node:module';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { doctorCommand } from './commands/doctor.ts';
import { getCommand } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { mockCommand } from './commands/mock.ts';
import { openapiCommand } from './commands/openapi.ts';
import { recogniseCommand } from './commands/recognise.ts';
import { Stopped, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { credentialsOf, loginHelp } from './login.ts';

const notes = `
Environment:
  RESTKIN_BASE_URL, RESTKIN_AUTH_URL  where the API and its token endpoint live
${loginHelp}

Exit codes:
   0  done
   1  any other failure; for doctor, the server breaks a rule, or nothing could be examined
   2  wrong arguments, an unusable API file, a query that the API does not declare
   3  authentication: 401, wrong password, no credentials
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
      getOutHasColors: () => false,
    });
  for (const create of [
    mockCommand,
    getCommand,
    openapiCommand,
    importCommand,
    doctorCommand,
    recogniseCommand,
  ]) {
    program.addCommand(create(io).copyInheritedSettings(program));
  }
  return program;
};

/** What commander refused, without the values that it quotes: one of them may be a password. */
const toUsageError = ({ message }: CommanderError, program: Command): UsageError => {
  const [name = ''] = program.args;
  const commands = program.commands.map((one) => one.name());
  if (!commands.includes(name))
    return new UsageError(`The first argument must be a command: ${commands.join(', ')}; see restkin --help`);
  const shown = message
    .replace('error: ', '')
    .replace(/^too many arguments.*/s, 'too many arguments')
    .replace(/^unknown option '(--[^\s=']*)?.*'\s*/s, 'unknown option $1 ')
    .replace(/ argument '.*' is invalid\. (.*)\.$/s, ': $1');
  return new UsageError(`${shown.trim()}; see restkin ${name} --help`);
};

const parse = async (argv: readonly string[], io: Io): Promise<void> => {
  // Often an unset variable of a shell, which as a folder or a host would allow too much.
  const empty = argv.find((argument) => /^(--[a-z-]+=)?$/.test(argument));
  if (empty !== undefined) throw new UsageError(`${empty || 'An argument'} is empty`);
  const program = createProgram(io);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // commander throws for --help and --version, too.
    if (error.exitCode !== 0) throw toUsageError(error, program);
  }
};

const hasCredentials = (argv: readonly string[], io: Io): boolean =>
  argv.some((argument) => /^--header(?:=|$)/.test(argument)) || credentialsOf(io) !== undefined;

const execute = async (argv: readonly string[], io: Io): Promise<number> => {
  try {
    await parse(argv, io);
    return 0;
  } catch (error) {
    // After an abort any error can surface. The reason of the signal says what ended the command.
    const reason: unknown = io.signal.aborted ? io.signal.reason : error;
    const { describeError, toExitCode } = await import('./failure.ts');
    if (!(reason instanceof Stopped)) io.err.say(describeError(reason, hasCredentials(argv, io)));
    return toExitCode(reason);
  }
};

/**
 * Runs the command line.
 *
 * @param argv - without the runtime and the script
 * @returns the exit code; never rejects
 */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  const code = await execute(argv, io);
  // The process exits next, which would cut what was written without waiting.
  await Promise.allSettled([io.out.write(''), io.err.write('')]);
  return code;
};
