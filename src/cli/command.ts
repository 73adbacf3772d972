import type { Arguments } from './arguments.ts';
import type { Io } from './io.ts';

/** An option of a command. */
export interface OptionSpec {
  /** What its value is called in the help; an option without one takes no value. */
  readonly value?: string;
  /** Whether it may stand there several times. */
  readonly multiple?: true;
  readonly help: string;
}

/** A command, as its help and its arguments are made from it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments that are no options, all of them required. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** What the help says below the options. */
  readonly notes: readonly string[];
  run(args: Arguments, io: Io): Promise<void>;
}

/** Options that several commands have in common. */
export const commonOptions = {
  api: { value: 'name', help: 'The export to use, when the file exports several declarations' },
  baseUrl: { value: 'url', help: 'Where the API lives; else RESTKIN_BASE_URL' },
  authUrl: { value: 'url', help: 'Where the token endpoint lives; else RESTKIN_AUTH_URL' },
  store: { value: 'file', help: 'Where logins are kept; by default in the user’s folder for state' },
  allowInsecure: { help: 'Allow plain http: to other hosts than this one' },
  verbose: { help: 'Say on stderr what is sent; never a secret' },
} as const satisfies Readonly<Record<string, OptionSpec>>;
