import { Command, Option } from '@commander-js/extra-typings';
import type { DiagnoseOptions } from '../../doctor/doctor.ts';
import type { ApiDeclaration } from '../../index.ts';
import { loadApi, titleOf } from '../api-file.ts';
import { common, integer, type OptionsOf, readPairs, several } from '../arguments.ts';
import { Stopped } from '../errors.ts';
import { type Io, readJson } from '../io.ts';
import { accessOf, baseUrlOf, fieldsOf } from '../login.ts';
import { formatLeftBehind, writeDiagnosis } from '../output/diagnosis.ts';
import { toJson } from '../output/records.ts';

type DoctorCommandOptions = OptionsOf<typeof command>;

const readBodies = async (pairs: readonly string[] | undefined): Promise<DiagnoseOptions['bodies']> => {
  const files = Object.entries(readPairs('--body', pairs));
  return Object.fromEntries(
    await Promise.all(files.map(async ([key, file]) => [key, await readJson(file)] as const)),
  );
};

/** The header fields of `--header`, or the login of the environment. */
const loginOf = (api: ApiDeclaration, options: DoctorCommandOptions, io: Io) => {
  const headers = fieldsOf(api, options);
  if (headers !== undefined) return { baseUrl: baseUrlOf(options, io), headers };
  const { baseUrl, authUrl, credentials, tokenRequest } = accessOf(api, options, io);
  return { baseUrl, authUrl, ...credentials, ...tokenRequest };
};

const optionsOf = async (
  api: ApiDeclaration,
  options: DoctorCommandOptions,
  io: Io,
): Promise<DiagnoseOptions> => {
  const { allowWrites, allowInsecure, maxRequests, timeout } = options;
  return {
    ...loginOf(api, options, io),
    allowWrites,
    allowInsecure,
    maxRequests,
    timeoutMs: timeout,
    pathParameters: readPairs('--path-param', options.pathParam),
    bodies: await readBodies(options.body),
    signal: io.signal,
    // A diagnosis that ends has them itself.
    onLeftBehind: (url) => io.signal.aborted && io.err.say(`${formatLeftBehind(url)}\n`),
  };
};

const progressEveryMs = 10_000;

/** Says at intervals how far an examination is. @returns what counts a result, and what ends it */
const startProgress = ({ err }: Io) => {
  let ticks = 0;
  let results = 0;
  let last = '';
  const tell = (): void => {
    const seconds = (++ticks * progressEveryMs) / 1_000;
    err.say(`Still examining after ${seconds} s: ${results} results${last}\n`);
  };
  const timer = setInterval(tell, progressEveryMs);
  const count = ({ rule }: { readonly rule: string }): void => {
    results++;
    last = `, the last one for ${rule}`;
  };
  return { count, stop: () => clearInterval(timer) };
};

const examine = async (file: string, given: DoctorCommandOptions, io: Io): Promise<void> => {
  const api = await loadApi(file, given.api);
  const options = await optionsOf(api, given, io);
  const { diagnose } = await import('../../doctor/doctor.ts');
  if (given.allowWrites) {
    io.signal.addEventListener('abort', () => io.err.say('Removing what was created …\n'));
  }
  const { count, stop } = startProgress(io);
  const diagnosis = await diagnose(api, { ...options, onFinding: count }).finally(stop);
  if (given.output === 'json') await io.out.write(`${toJson(diagnosis, 2)}\n`);
  else await writeDiagnosis(diagnosis, titleOf(api), io.out, given.verbose ?? false);
  const { works, isLoginRefused, counts, leftBehind } = diagnosis;
  if (works && counts.fail === 0 && leftBehind.length === 0) return;
  const { exitCode } = await import('../failure.ts');
  throw new Stopped(isLoginRefused ? exitCode.authentication : exitCode.failure);
};

const notes = `
Example: npx restkin doctor ordering.ts --base-url=https://api.example.com --auth-url=https://auth.example.com

The doctor logs in and only reads. With --allow-writes it also creates, replaces, updates and
deletes copies of the first resource of each collection, and removes them in every case, even
after Ctrl-C. It sends one request at a time, and waits after a 429.

Credentials come from the environment; see restkin --help. No output contains
them, the tokens or the values of resources.

The exit code is 0 when something was examined, no rule is broken and nothing is left behind, 3
when the server refuses the credentials, and 1 otherwise. A § is a section of docs/conventions.md
in the package.`;

const command = () =>
  new Command('doctor')
    .description('Check whether a server follows the conventions')
    .argument('<api-file>')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(common.header)
    .option('--allow-writes', 'create, change and delete resources of its own')
    .option(
      '--max-requests <number>',
      'at most this many requests; 500 by default',
      integer('--max-requests'),
    )
    .option('--timeout <ms>', 'for one request; 10000 by default', integer('--timeout'))
    .option('--path-param <name=value>', 'a value for a parameter of a path: companyId=3', several)
    .option('--body <key=file>', 'a body for --allow-writes: orders=order.json', several)
    .addOption(new Option('--output <format>', 'table by default').choices(['table', 'json']))
    .addOption(common.allowInsecure)
    .option('--verbose', 'list every finding')
    .addHelpText('after', notes);

export const doctorCommand = (io: Io) => command().action((file, options) => examine(file, options, io));
