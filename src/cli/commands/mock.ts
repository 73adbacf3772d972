import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import type { Mock, MockOptions } from '../../../mocks/index.ts';
import type { Operation } from '../../conventions.ts';
import { operationMethods, tokenPath } from '../../conventions.ts';
import type { ApiDeclaration, Collection } from '../../index.ts';
import { isObject } from '../../options.ts';
import { loadEvery } from '../api-file.ts';
import { findCredentials, integer, type OptionsOf, several, single } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, printable, readJson } from '../io.ts';

/** The paths of an API, each with its methods (§4.2). */
const routesOf = ({ version, collections }: ApiDeclaration): readonly string[] =>
  Object.values(collections).flatMap(({ path, options }: Collection) => {
    const methodsOf = (...operations: readonly Operation[]): string =>
      operations
        .filter((operation) => options.operations?.includes(operation) ?? true)
        .map((operation) => operationMethods[operation])
        .join(' ');
    const all = `/v${version}/${path}  ${methodsOf('list', 'create')}`;
    const one = methodsOf('get', 'replace', 'update', 'delete');
    return one === '' ? [all] : [all, `/v${version}/${path}/:id  ${one}`];
  });

type Data = NonNullable<MockOptions['data']>;

type MockCommandOptions = OptionsOf<typeof command>;

const readData = async (file: string): Promise<Data> => {
  const value = await readJson(file);
  // The mock checks the rows.
  if (isObject(value) && Object.values(value).every(Array.isArray)) return value as Data;
  throw new UsageError(`${file} must hold an object with a list of rows for each collection key`);
};

const readCounts = (values: readonly string[]): MockOptions['generate'] => {
  const counts: Record<string, number> = {};
  for (const value of values) {
    const [, key, digits] = /^(?:([^=]+)=)?(\d+)$/.exec(value) ?? [];
    if (digits === undefined || (key === undefined && values.length > 1)) {
      throw new UsageError(
        '--generate needs a number of rows: --generate orders=500, or --generate 500 for all',
      );
    }
    if (key === undefined) return Number(digits);
    counts[key] = Number(digits);
  }
  return counts;
};

const optionsOf = async (given: MockCommandOptions, io: Io): Promise<MockOptions> => {
  const { data, generate, seed, baseUrl } = given;
  const user = findCredentials(io);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(data !== undefined && { data: await readData(data) }),
    ...(generate !== undefined && { generate: readCounts(generate) }),
    ...(seed !== undefined && { seed }),
    ...(user !== undefined && { users: [user] }),
  };
};

type RunningMock = Pick<Mock, 'respond' | 'faults' | 'baseUrl' | 'authUrl'>;

const makeMock = async (apis: readonly ApiDeclaration[], options: MockOptions): Promise<RunningMock> => {
  const { createMock } = await import('../../../mocks/mock.ts');
  try {
    return createMock(apis, options);
  } catch (error) {
    // The mock names the row and the collection that do not fit.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const readFailure = (value: string): { readonly status: number; readonly rate: number } => {
  const [, status, rate] = /^([45]\d\d)=(0|1|0?\.\d+)$/.exec(value) ?? [];
  if (status === undefined)
    throw new UsageError('--fail must be a status and a rate from 0 to 1: --fail 503=0.1');
  return { status: Number(status), rate: Number(rate) };
};

/** Delays responses, and makes some requests fail, those to the token endpoint apart. */
const withFaults = (mock: RunningMock, { delay = 0, fail = [] }: MockCommandOptions): RunningMock => {
  const failures = fail.map(readFailure);
  const respond: Mock['respond'] = async (request) => {
    await setTimeout(delay, undefined, { signal: request.signal });
    const isToken = new URL(request.url).pathname.endsWith(tokenPath);
    const failure = isToken ? undefined : failures.find(({ rate }) => Math.random() < rate);
    if (failure !== undefined) mock.faults.next({ status: failure.status });
    return mock.respond(request);
  };
  return { ...mock, respond };
};

/** Writes a line for each request, without the query of a token request, which may hold a password. */
const withAccessLog =
  ({ respond }: RunningMock, { out }: Io): Mock['respond'] =>
  async (request) => {
    const startedAt = performance.now();
    const response = await respond(request);
    const { pathname, search } = new URL(request.url);
    const path = printable(pathname.endsWith(tokenPath) ? pathname : pathname + search);
    const ms = Math.round(performance.now() - startedAt);
    out.say(`${request.method} ${path} ${response.status || 'cut'} ${ms} ms\n`);
    return response;
  };

const describe = (apis: readonly ApiDeclaration[], url: string, file: string, hasUser: boolean): string => {
  const path = Object.values(apis[0]?.collections ?? {})[0]?.path.replace(/:\w+/g, '1') ?? '';
  return [
    `${apis.map(({ name, version }) => `${printable(name)} v${version}`).join(', ')} at ${url}`,
    '',
    ...apis.flatMap(routesOf).map(printable),
    '',
    `Token endpoint: POST ${url}/auth/token`,
    hasUser
      ? 'User: the one of RESTKIN_USERNAME and RESTKIN_PASSWORD'
      : 'User: any username and password that are not empty',
    `Try: npx restkin get ${file} ${path} --base-url=${url} --auth-url=${url}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
};

const serveMock = async (file: string, given: MockCommandOptions, io: Io): Promise<void> => {
  const { api, port = 4_010, host } = given;
  const apis = await loadEvery(file, api, io.signal);
  const options = await optionsOf(given, io);
  const mock = withFaults(await makeMock(apis, options), given);
  const { serve } = await import('../../../mocks/serve.ts');
  const server = await serve({ ...mock, respond: withAccessLog(mock, io) }, { port, host });
  try {
    await io.out.write(describe(apis, server.url, file, options.users !== undefined));
    await io.out.flush();
    // A mock outlives the reader of its log.
    io.out.detach();
    if (!io.signal.aborted) await once(io.signal, 'abort');
  } finally {
    await server.close();
  }
};

const notes = `
If RESTKIN_USERNAME and RESTKIN_PASSWORD are both set, they are the only user. Otherwise any
username and password can log in. Each request is logged in a line. SIGHUP, SIGINT and
SIGTERM stop the mock, with exit code 0.`;

const command = () =>
  new Command('mock')
    .description('Serve a mock of the API over HTTP')
    .argument('<api-file>')
    .addOption(integer('--port <number>', 'the port; 4010 by default, 0 for any free one', [0, 65_535]))
    .addOption(single('--host <name>', 'the address; 127.0.0.1, this machine only, by default'))
    .addOption(single('--base-url <url>', 'the public URL of a mock behind a proxy, for its links'))
    .addOption(single('--data <file>', 'a JSON file: {"orders": [{…}], …}, rows by collection key'))
    .addOption(
      several('--generate <key=count>', 'make rows: --generate orders=500, or --generate 500 for all'),
    )
    .addOption(integer('--seed <number>', 'the same seed makes the same rows', [0, Number.MAX_SAFE_INTEGER]))
    .addOption(integer('--delay <ms>', 'respond this many milliseconds late', [0, 3_600_000]))
    .addOption(several('--fail <status=rate>', 'let a part of the requests fail: --fail 503=0.1'))
    .addOption(single('--api <name>', 'the export to serve; by default every declaration of the file'))
    .addHelpText('after', notes);

/** Serves a mock of an API until a signal stops it, which is its normal end. */
export const mockCommand = (io: Io) => command().action((file, options) => serveMock(file, options, io));
