import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import type { Mock, MockOptions } from '../../../mocks/index.ts';
import { tokenPath } from '../../conventions.ts';
import type { ApiDeclaration } from '../../index.ts';
import { loadApis } from '../api-file.ts';
import { credentialsOf, integer, type OptionsOf, readPairs, several } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { type Io, printable, readJson } from '../io.ts';

type MockCommandOptions = OptionsOf<typeof command>;

const readCounts = (values: readonly string[]): MockOptions['generate'] => {
  const [first = ''] = values;
  if (values.length === 1 && /^\d+$/.test(first)) return Number(first);
  const counts = Object.entries(readPairs('--generate', values));
  return Object.fromEntries(counts.map(([key, count]) => [key, integer(`--generate ${key}`, 0)(count)]));
};

const optionsOf = async (given: MockCommandOptions, io: Io): Promise<MockOptions> => {
  const { data, generate, baseUrl } = given;
  const user = credentialsOf(io);
  return {
    baseUrl,
    // The mock checks the rows.
    data: data === undefined ? undefined : ((await readJson(data)) as MockOptions['data']),
    generate: generate && readCounts(generate),
    users: user && [user],
  };
};

const makeMock = async (apis: readonly ApiDeclaration[], options: MockOptions): Promise<Mock> => {
  const { createMock } = await import('../../../mocks/mock.ts');
  try {
    return createMock(apis, options);
  } catch (error) {
    // The mock names the row and the collection that do not fit.
    throw new UsageError((error as Error).message);
  }
};

/**
 * Delays responses, and writes a line for each request, without the query of a token request, which may hold a password.
 * The mock outlives the reader of its log.
 */
const withLog =
  (respond: Mock['respond'], delay: number, { out }: Io): Mock['respond'] =>
  async (request) => {
    const startedAt = performance.now();
    await setTimeout(delay, undefined, { signal: request.signal });
    const response = await respond(request);
    const { pathname, search } = new URL(request.url);
    const path = printable(pathname.endsWith(tokenPath) ? pathname : pathname + search);
    const ms = Math.round(performance.now() - startedAt);
    out.say(`${request.method} ${path} ${response.status || 'cut'} ${ms} ms\n`);
    return response;
  };

/** The arguments of a `get` of the first collection; with `--api` where the file may export several APIs. */
const exampleOf = (
  apis: ReadonlyMap<ApiDeclaration, string>,
  file: string,
  { api }: MockCommandOptions,
): string => {
  const [[first, name] = []] = apis;
  const path = Object.values(first?.collections ?? {})[0]?.path.replace(/:\w+/g, '1') ?? '';
  const isOnly = api === undefined && apis.size === 1;
  return isOnly ? `${file} ${path}` : `${file} ${path} --api=${name}`;
};

const describe = (apis: readonly ApiDeclaration[], url: string, example: string, hasUser: boolean): string =>
  [
    `${apis.map(({ name, version }) => `${printable(name)} v${version}`).join(', ')} at ${url}`,
    '',
    `Token endpoint: POST ${url}/auth/token`,
    hasUser
      ? 'User: the one of RESTKIN_USERNAME and RESTKIN_PASSWORD'
      : 'User: any username and password that are not empty',
    `Try: npx restkin get ${example} --base-url=${url} --auth-url=${url}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n');

const serveMock = async (file: string, given: MockCommandOptions, io: Io): Promise<void> => {
  const { api, port = 4_010, host, delay = 0 } = given;
  const named = await loadApis(file, api);
  const apis = [...named.keys()];
  const options = await optionsOf(given, io);
  const mock = await makeMock(apis, options);
  const { serve } = await import('../../../mocks/serve.ts');
  const served = { ...mock, respond: withLog(mock.respond, delay, io) };
  const server = await serve(served, { port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`${error.message}; choose another port with --port`);
  });
  try {
    io.out.say(describe(apis, server.url, exampleOf(named, file, given), options.users !== undefined));
    if (!io.signal.aborted) await once(io.signal, 'abort');
  } finally {
    await server.close();
  }
};

const notes = `
If RESTKIN_USERNAME and RESTKIN_PASSWORD are both set, they are the only user. Otherwise any
username and password can log in. Each request is logged on a line of its own.
SIGHUP, SIGINT and SIGTERM stop the mock, with exit code 0.`;

const command = () =>
  new Command('mock')
    .description('Serve a mock of the API over HTTP')
    .argument('<api-file>')
    .option('--port <number>', 'the port; 4010 by default, 0 for any free one', integer('--port', 0))
    .option('--host <name>', 'the address; 127.0.0.1, this machine only, by default')
    .option('--base-url <url>', 'the public URL of a mock behind a proxy, for its links')
    .option('--data <file>', 'a JSON file: {"orders": [{…}], …}, rows by collection key')
    .option('--generate <key=count>', 'rows: --generate orders=500, or --generate 500 for all', several)
    .option('--delay <ms>', 'delay each response by this many milliseconds', integer('--delay', 0))
    .option('--api <name>', 'the export to serve; by default every declaration of the file')
    .addHelpText('after', notes);

/** Serves a mock of an API until a signal stops it, which is its normal end. */
export const mockCommand = (io: Io) => command().action((file, options) => serveMock(file, options, io));
