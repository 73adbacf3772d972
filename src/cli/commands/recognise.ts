import { Command } from '@commander-js/extra-typings';
import { common, type OptionsOf } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, printable, writeResult } from '../io.ts';
import { requireScheme } from '../login.ts';
import { countOf } from '../output/count.ts';

/** An argument as a shell takes it. */
const toShellWord = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

const recogniseUrl = async (given: string, options: OptionsOf<typeof command>, io: Io): Promise<void> => {
  requireScheme('URL of the list', given);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('The URL must be that of a list, with http or https and without a password');
  const { hidden, loginOf } = await import('../recognise/login.ts');
  const { createObserve } = await import('../recognise/observe.ts');
  const { recognise } = await import('../recognise/recognise.ts');
  const { printRecognised } = await import('../recognise/print.ts');
  const { header = [], allowInsecure = false, authUrl, out, force = false } = options;
  const login = loginOf(header, io, authUrl);
  const observe = createObserve(url.origin, login, allowInsecure, io);
  let requests = 0;
  const seen = await recognise(url, (target) => {
    requests++;
    return observe(target);
  });
  await writeResult(printRecognised(seen, login.auth.kind), out, force, io);
  const commandFor = (file: string, options: readonly string[]): string => {
    const params = seen.params.map((name) => `--param=${name}=${hidden}`);
    const insecure = allowInsecure ? ['--allow-insecure'] : [];
    const words = [file, seen.path, `--base-url=${seen.baseUrl}`, ...options, ...params, ...insecure];
    return `npx restkin get ${words.map(toShellWord).join(' ')}`;
  };
  const lines = [
    `The nearest preset is ${seen.preset}; the base URL is ${seen.baseUrl}`,
    ...(seen.ties.length > 0 ? [`Equally near: ${seen.ties.join(', ')}`] : []),
    ...(seen.note === undefined ? [] : [seen.note]),
    ...seen.unknown.map((one) => `Not known: ${one}`),
    `Sent ${countOf(requests, 'GET request')}`,
    `Read it: createClient({ baseUrl: '${seen.baseUrl}', ${login.code}${allowInsecure ? ', allowInsecure: true' : ''} }).api(api)`,
    ...(out !== undefined && login.getOptions ? [`Print it: ${commandFor(out, login.getOptions)}`] : []),
  ];
  io.err.say(lines.map((line) => `${printable(line)}\n`).join(''));
};

const notes = `
Example: npx restkin recognise http://127.0.0.1:3000/posts --out posts.ts

It GETs the list, pages of it and one record, and nothing else, from this origin alone: some ten
requests, and up to twelve more where the names of an offset and of the size of a page must be
tried. The types of fields are those of the records that it saw: look them over.

RESTKIN_USERNAME and RESTKIN_PASSWORD are sent as Basic; with RESTKIN_AUTH_URL, they get a token.`;

const command = () =>
  new Command('recognise')
    .description('Tell from a list which family a server belongs to, and write a declaration')
    .argument('<url>')
    .addOption(common.out)
    .addOption(common.force)
    .addOption(common.header)
    .addOption(common.authUrl)
    .addOption(common.allowInsecure)
    .addHelpText('after', notes);

export const recogniseCommand = (io: Io) =>
  command().action((url, options) => recogniseUrl(url, options, io));
