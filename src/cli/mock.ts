import { readFile } from 'node:fs/promises';
import type { Mock, MockOptions } from '../../mocks/index.ts';
import type { ApiDeclaration } from '../index.ts';
import { type Arguments, numberOf, textOf } from './arguments.ts';
import type { Command } from './command.ts';
import { environmentCredentials } from './credentials.ts';
import type { Io } from './io.ts';
import { loadApi, loadApis } from './load-api.ts';
import { layOut } from './output/layout.ts';
import { printable } from './output/printable.ts';
import { routesOf } from './routes.ts';
import { UsageError } from './usage-error.ts';

type Data = NonNullable<MockOptions['data']>;

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read: ${code ?? 'unknown reason'}`,
    );
  }
};

const readData = async (file: string): Promise<Data> => {
  let value: unknown;
  try {
    value = JSON.parse(await readText(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is not JSON`);
  }
  const isData =
    typeof value === 'object' && value !== null && Object.values(value).every((rows) => Array.isArray(rows));
  if (isData && !Array.isArray(value)) return value as Data;
  throw new UsageError(`${file} must hold an object with a list of rows for each collection key`);
};

const readCounts = (given: readonly string[]): MockOptions['generate'] => {
  const counts: Record<string, number> = {};
  for (const argument of given) {
    const [, key, digits] = /^(?:([^=]+)=)?(\d+)$/.exec(argument) ?? [];
    if (digits === undefined || (key === undefined && given.length > 1)) {
      throw new UsageError(
        '--generate needs a number of rows: --generate orders=500, or --generate 500 for all',
      );
    }
    if (key === undefined) return Number(digits);
    counts[key] = Number(digits);
  }
  return counts;
};

const optionsOf = async (args: Arguments, io: Io): Promise<MockOptions> => {
  const [file, seed] = [textOf(args, 'data'), numberOf(args, 'seed', [0, Number.MAX_SAFE_INTEGER])];
  const generate = args.options.get('generate');
  const { username, password } = environmentCredentials(io);
  const hasUser = username !== undefined && password !== undefined;
  return {
    ...(file !== undefined && { data: await readData(file) }),
    ...(generate !== undefined && { generate: readCounts(generate) }),
    ...(seed !== undefined && { seed }),
    ...(hasUser && { users: [{ username, password }] }),
  };
};

type RunningMock = Pick<Mock, 'respond' | 'requests' | 'faults'>;

const createMock = async (apis: readonly ApiDeclaration[], options: MockOptions): Promise<RunningMock> => {
  // Late, and without the handlers: the command needs no msw.
  const { createCoreMock } = await import('../../mocks/mock.ts');
  try {
    return createCoreMock(apis, options);
  } catch (error) {
    // The mock says which row of which collection does not fit.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const readFailure = (argument: string): { readonly status: number; readonly rate: number } => {
  const [, status, rate] = /^([45]\d\d)=(0|1|0?\.\d+)$/.exec(argument) ?? [];
  if (status === undefined)
    throw new UsageError('--fail must be a status and a rate from 0 to 1: --fail 503=0.1');
  return { status: Number(status), rate: Number(rate) };
};

/** Makes requests slow, and a part of them fail. */
const addFaults = ({ faults }: RunningMock, args: Arguments): void => {
  const delayMs = numberOf(args, 'delay', [0, 3_600_000]);
  const slow = delayMs === undefined ? {} : { delayMs };
  for (const failure of args.options.get('fail') ?? []) faults.random({ ...readFailure(failure), ...slow });
  if (delayMs === undefined) return;
  for (const token of [false, true]) faults.random({ rate: 1, delayMs, token });
};

/** Writes a line for each request: the mock leaves secrets out of the URL that it logs. */
const withAccessLog =
  ({ respond, requests }: RunningMock, io: Io): Mock['respond'] =>
  async (request) => {
    const startedAt = performance.now();
    const responding = respond(request);
    // The mock has logged the request by now.
    const entry = requests.at(-1);
    const response = await responding;
    const { pathname, search } = new URL(entry?.url ?? request.url);
    const ms = Math.round(performance.now() - startedAt);
    const line = `${request.method} ${printable(pathname + search)} ${entry?.status || 'cut'} ${ms} ms\n`;
    // A reader that is gone ends the command, and not this response.
    void io.out.write(line).catch(() => undefined);
    return response;
  };

const describe = (apis: readonly ApiDeclaration[], url: string, file: string, hasUser: boolean): string => {
  const header = ['METHODS', 'PATH', 'QUERY'];
  const table = layOut(
    apis.flatMap(routesOf).map((line) => line.map(printable)),
    undefined,
    header,
  );
  const path = Object.values(apis[0]?.collections ?? {})[0]?.path.replace(/:\w+/g, '1') ?? '';
  return [
    `${apis.map(({ name, version }) => `${printable(name)} v${version}`).join(', ')} at ${url}`,
    '',
    ...table,
    '',
    `Token endpoint: POST ${url}/auth/token`,
    hasUser
      ? 'User: the one of RESTKIN_USERNAME and RESTKIN_PASSWORD'
      : 'User: any username and password that are not empty',
    `Try: restkin get ${file} ${path} --base-url=${url} --auth-url=${url}`,
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
};

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const run = async (args: Arguments, io: Io): Promise<void> => {
  const [file = ''] = args.positionals;
  const name = textOf(args, 'api');
  const port = numberOf(args, 'port', [0, 65_535]) ?? 4_010;
  const apis =
    name === undefined ? [...new Set((await loadApis(file)).values())] : [await loadApi(file, name)];
  const options = await optionsOf(args, io);
  const mock = await createMock(apis, options);
  const { serve } = await import('../../mocks/serve.ts');
  addFaults(mock, args);
  const server = await serve({ respond: withAccessLog(mock, io) }, { port, host: textOf(args, 'host') });
  try {
    await io.out.write(describe(apis, server.url, file, options.users !== undefined));
    await stopped(io.signal);
  } finally {
    await server.close();
  }
};

/** Serves a mock of an API until it is stopped, which is its good end. */
export const mock: Command = {
  name: 'mock',
  summary: 'Serve a mock of the API over HTTP',
  positionals: ['api file'],
  options: {
    port: { value: 'number', help: 'Where to listen; 4010 by default, 0 for any free port' },
    host: { value: 'name', help: 'The address to listen on; 127.0.0.1, this machine only, by default' },
    data: { value: 'file', help: 'A JSON file: {"orders": [{…}], …}, rows by collection key' },
    generate: {
      value: 'key=count',
      multiple: true,
      help: 'Make rows: --generate orders=500, or --generate 500 for all',
    },
    seed: { value: 'number', help: 'Of generated rows: the same seed makes the same rows' },
    delay: { value: 'ms', help: 'Respond so many milliseconds late' },
    fail: {
      value: 'status=rate',
      multiple: true,
      help: 'Let a part of the requests fail: --fail 503=0.1',
    },
    api: { value: 'name', help: 'The export to serve; by default every declaration of the file' },
  },
  notes: [
    'RESTKIN_USERNAME and RESTKIN_PASSWORD, when both are set, are its only user; without them',
    'any username and password may log in. Each request is logged in a line. SIGINT and SIGTERM stop',
    'it, with exit code 0.',
  ],
  run,
};
