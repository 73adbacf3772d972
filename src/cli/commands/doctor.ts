import { Command, Option } from '@commander-js/extra-typings';
import type { DiagnoseOptions } from '../../doctor/doctor.ts';
import type { ApiDeclaration } from '../../index.ts';
import { isObject } from '../../options.ts';
import { loadApi } from '../api-file.ts';
import {
  authenticationOf,
  common,
  credentialsOf,
  integer,
  type OptionsOf,
  readPairs,
  several,
  single,
  urlOf,
} from '../arguments.ts';
import { Stopped, UsageError } from '../errors.ts';
import { type Io, readJson } from '../io.ts';
import { writeDiagnosis } from '../output/diagnosis.ts';
import { toJson } from '../output/records.ts';

type DoctorCommandOptions = OptionsOf<typeof command>;

const readBodies = async (pairs: readonly string[] | undefined): Promise<DiagnoseOptions['bodies']> => {
  const bodies: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const [key, file] of Object.entries(readPairs('--body', pairs))) {
    const value = await readJson(file);
    if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object, the body of a POST`);
    bodies[key] = value;
  }
  return bodies;
};

const optionsOf = async (
  api: ApiDeclaration,
  options: DoctorCommandOptions,
  io: Io,
): Promise<DiagnoseOptions> => {
  const { authUrl } = authenticationOf(api, options, io, 'examine it with diagnose() of restkin/doctor');
  const baseUrl = urlOf('baseUrl', options, io);
  const pathParameters = readPairs('--path-param', options.pathParam);
  const bodies = await readBodies(options.body);
  if (options.body !== undefined && !options.allowWrites)
    throw new UsageError('--body needs --allow-writes: without it nothing is created');
  const { allowWrites, allowInsecure, maxRequests, timeout } = options;
  return {
    ...{ baseUrl, authUrl, pathParameters, bodies },
    ...{ allowWrites, allowInsecure, maxRequests, timeoutMs: timeout },
    ...credentialsOf(io),
    signal: io.signal,
  };
};

const examine = async (file: string, given: DoctorCommandOptions, io: Io): Promise<void> => {
  const { output = 'table' } = given;
  if (output !== 'table' && output !== 'json') throw new UsageError('--output must be table or json');
  const api = await loadApi(file, given.api);
  const options = await optionsOf(api, given, io);
  const { diagnose } = await import('../../doctor/doctor.ts');
  if (given.allowWrites) {
    io.signal.addEventListener('abort', () => io.err.say('Removing what was created …\n'));
  }
  const diagnosis = await diagnose(api, options);
  if (output === 'json') await io.out.write(`${toJson(diagnosis, 2)}\n`);
  else await writeDiagnosis(diagnosis, io.out, given.verbose ?? false);
  const { isLoginRefused, counts, leftBehind } = diagnosis;
  if (!isLoginRefused && counts.fail === 0 && leftBehind.length === 0) return;
  const { exitCode } = await import('../failure.ts');
  throw new Stopped(isLoginRefused ? exitCode.authentication : exitCode.failure);
};

const notes = `
It logs in, and only reads. --allow-writes creates, replaces, updates and deletes copies of the
first resource of each collection, and removes them in every case, even after Ctrl-C.
One request is sent at a time. It waits after a 429.

Credentials are RESTKIN_USERNAME and RESTKIN_PASSWORD. No output
contains them, the tokens or the values of resources.

The exit code is 0 when no rule is broken and nothing is left behind, 3 when the server refuses the
credentials, and 1 otherwise. A § is a section of docs/conventions.md in the package.`;

const command = () =>
  new Command('doctor')
    .description('Examine whether a server keeps the conventions')
    .argument('<api-file>')
    .addOption(common.baseUrl)
    .addOption(common.authUrl)
    .addOption(common.api)
    .addOption(new Option('--allow-writes', 'create, change and delete resources of its own'))
    .addOption(integer('--max-requests <number>', 'at most this many requests; 500 by default'))
    .addOption(integer('--timeout <ms>', 'for one request; 10000 by default'))
    .addOption(several('--path-param <name=value>', 'a value for a parameter of a path: companyId=3'))
    .addOption(several('--body <key=file>', 'a body for --allow-writes: orders=order.json'))
    .addOption(single('--output <format>', 'table (default) or json'))
    .addOption(common.allowInsecure)
    .addOption(new Option('--verbose', 'list every finding'))
    .addHelpText('after', notes);

export const doctorCommand = (io: Io) => command().action((file, options) => examine(file, options, io));
