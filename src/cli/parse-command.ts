import { parseArgs } from 'node:util';
import type { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

// What other tools take, and this one must not.
const credentialOptions: ReadonlySet<string> = new Set(['username', 'user', 'password', 'pass', 'token']);

const refuseCredentials = (name: string): never => {
  throw new UsageError(
    `--${name} is not taken: arguments are visible to every process of this machine and stay in the shell's ` +
      'history. Set RESTKIN_USERNAME and RESTKIN_PASSWORD, or run "restkin login" on a terminal',
  );
};

const refuseUnknown = (name: string, rawName: string, { name: command, options }: Command): never => {
  if (credentialOptions.has(name)) refuseCredentials(name);
  const meant = nearest(name, [...Object.keys(options), ...credentialOptions, 'help', 'version']);
  if (meant !== undefined && credentialOptions.has(meant)) refuseCredentials(meant);
  throw new UsageError(
    meant === undefined
      ? `${rawName} is not an option of restkin ${command}; see restkin ${command} --help`
      : `${rawName} is not an option of restkin ${command}; did you mean --${meant}?`,
  );
};

const checkPositionals = ({ name, positionals }: Command, given: readonly string[]): void => {
  const missing = positionals[given.length];
  const usage = `restkin ${name} ${positionals.map((one) => `<${one}>`).join(' ')}`;
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing: ${usage}`);
  // Not quoted: what stands there too much may be a password.
  if (given.length > positionals.length) {
    throw new UsageError(`There are ${given.length - positionals.length} arguments too many: ${usage}`);
  }
};

/**
 * Reads the arguments behind the name of a command. A value may begin with `-`, as in `--sort -createdAt`.
 *
 * @throws {@link UsageError} for an option that the command does not have, one that stands there twice, and arguments
 * that are missing or too many
 */
export const parseCommand = (command: Command, argv: readonly string[]): Arguments => {
  const known = Object.entries(command.options);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      known.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
    ),
    // Strict all the same: the loop below checks every token, to say what was probably meant.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const options = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const spec = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (spec === undefined) return refuseUnknown(name, rawName, command);
    const takesValue = spec.value !== undefined;
    if (!takesValue && value !== undefined) throw new UsageError(`--${name} takes no value`);
    if (takesValue && (value === undefined || value === '' || (!inlineValue && value.startsWith('--')))) {
      throw new UsageError(`--${name} needs a value: --${name}=<${spec.value}>`);
    }
    const before = options.get(name) ?? [];
    if (before.length > 0 && !spec.multiple) throw new UsageError(`--${name} stands there twice`);
    options.set(name, [...before, value ?? '']);
  }
  checkPositionals(command, positionals);
  return { positionals, options };
};
